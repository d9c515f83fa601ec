"""The servers of a chain: what a person has to put on the hub's nodes and at each store, as files."""
