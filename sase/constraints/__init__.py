"""What can never happen: constraints read, closed under what follows from them, and held against a query."""
