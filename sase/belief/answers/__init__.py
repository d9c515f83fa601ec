"""What a belief answers."""
