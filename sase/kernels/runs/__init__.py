"""Runs of the NFA^b: how one is offered an event, merged with its like, and written out."""
