"""What only a demo knows: the world itself, as the simulator tells it."""
