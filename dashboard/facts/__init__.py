"""What pages tell: read from the store and worked out, before it is drawn or said."""
