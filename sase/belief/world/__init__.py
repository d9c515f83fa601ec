"""What is known before anything is seen: the model, and how one moves and is heard by it."""
