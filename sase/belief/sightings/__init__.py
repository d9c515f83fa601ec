"""What was seen, as it is read: one by one, or a whole batch as columns."""
