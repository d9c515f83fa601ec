"""Operators with windows of their own: outcomes go up a tree, moment by moment (TelegraphCQ/HiFi 3.3)."""
