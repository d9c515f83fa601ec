"""Text to tree and back: everything that knows how a query is spelt."""
