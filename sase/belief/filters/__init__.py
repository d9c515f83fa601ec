"""What is believed, kept up to date by what is seen: exactly, or fast for many."""
