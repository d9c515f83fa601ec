"""What is said: every text by page, and moments, severities, events and clauses put into words."""
