"""Where things stand in the kernels' tables.

State is a few wide tables of int64 rather than many columns: a call copies every array it is given, and what
belongs together is read together. Values are 64 bits with their kind beside them; a float is its bits.
"""

CLOCK, ORDER, KEY, GROUP, BITS, VALUES = range(6)
"""An event: what the window counts, its place for contiguity, its partition, its partition for NON-OVERLAP,
what it may be; then value and kind of each attribute, then per negative component the latest
entry before it."""

STATE, NODE, START, SINCE, PLACE, NEXT, FIELDS = range(7)
"""A run: state, last node, first event (of merged runs the youngest's) and its clock, place of the last
event, next run of its partition or next free row; then value and kind of each running value, then registers,
which hold events."""

EVENT, PREVIOUS, POINTER = range(3)
"""An instance on a stack or in the index of negatives: its event, the entry below in the same chain, and on
stacks the top of the stack before it when it came."""

STEP, OTHER, YOUNGEST, WRITTEN, WAYS = 0, 2, 3, 4, 5
"""A node of the match buffer: its step (event << 8 | component), PREVIOUS (-1: the match begins here), an
alternative with the same event and future but another past, the clock of the youngest first event among all
pasts; then the first match of the output that took all ways to here and one step more, and how many did."""
NODE_WIDTH = 6

FIRST, EVER = range(2)
"""How far a table that grows at its end and loses its front has come: first entry there, entries ever."""
