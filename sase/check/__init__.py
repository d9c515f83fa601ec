"""What a query may say: names, parameters, patterns, kinds of values and RETURN, checked and resolved."""
