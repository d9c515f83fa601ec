"""Names of the cells in the kernels' tables: one name, one number, whatever the table.

State is a few wide tables of int64 rather than many columns: a call copies every array it is given, and what
belongs together is read together. Values are 64 bits with their kind beside them; a float is its bits.
"""

CLOCK, ORDER, KEY, GROUP, BITS, VALUES = range(6)
"""An event: what the window counts, its place for contiguity, its partition, its partition for NON-OVERLAP,
what it may be; then value and kind of each attribute, then per negative component the latest
entry before it."""

VALUE, KIND = range(2)
"""An operand of an expression, and any other pair of 64 bits and what they are."""

STATE, NODE, START, SINCE, LAST_ORDER, NEXT, FIELDS = range(7)
"""A run: state, last node, first event (of merged runs the youngest's) and its clock, ORDER of the last
event, next run of its partition or next free row; then value and kind of each running value, then registers,
which hold events."""

HEAD, RUNS, WANTS = range(3)
"""A partition of runs: its first run, how many there are, bits that some of them may want."""
HEADS = 3

FREE, ALIVE, REFUSED, BEGUN, COMPLETE_NODES, NEED, UNTOUCHED, UNLIKELY, IMPROBABLE = range(9)
"""Of all runs: first free row, how many are alive, how many the limit refused; of the event at hand: the
first of the runs that it began, how many nodes it completes, and how much there is too little of; then the
first row that no run has ever been in (it comes last of those that are free), and how many ways to matches,
and how many runs, were not likely enough."""
COUNTS = 9

EVENT, PREVIOUS, POINTER, BEST = range(4)
"""An instance on a stack: its event, the entry below in the same stack, and the top of the stack before it
when it came; where a probability is asked for, that of the likeliest sequence up to it or to one below it in
the window then, as a float."""

STEP, OTHER, YOUNGEST, WRITTEN, WAYS, LIKELIEST = 0, 2, 3, 4, 5, 6
"""A node of the match buffer: its step, PREVIOUS (-1: the match begins here), an alternative with the same
event and future but another past, the clock of the youngest first event among all pasts; then the first match
of the output that took all ways to here and one step more, and how many did; where a probability is asked
for, that of the likeliest past to here, as a float."""
NODE_WIDTH = 6

FIRST, EVER = range(2)
"""How far a table that grows at its end and loses its front has come: first entry there, entries ever."""

STAMP, RUN = range(2)
"""An entry of the table of twins: the event for which it was made, and the run."""

OPERATION, OPERAND, SECOND = range(3)
"""A step of the byte code."""

CODE, CODE_END, OUTER, INNER, OUTER_SKIPS, INNER_SKIPS = range(6)
COMPARISON, LEFT_EVENT, LEFT_VALUE, RIGHT_EVENT, RIGHT_VALUE = range(6, 11)
"""A check: its range of the code, the components that it walks over (-1: none), and whether a walk leaves out
the component's first event; where it only compares two attributes, which comparison that is (-1: it does
more), and of both the register of the event and the column of the value."""

COMPONENT, TAKE, TARGET, CHECKS, CHECKS_END, PROCEED, BIT_OF, GOES_ON = range(8)
"""A move of the automaton: the component that selects the event, whether it is open already, the state after,
a range of checks, whether it closes a Kleene component, the bit of the events that it wants, and whether any
move follows it."""

WHAT, COLUMN = 1, 2
"""A running value: its COMPONENT, what is kept, column of the attribute."""

MOVES, MOVES_END, COMPLETE, LIVE, LIVE_END, WANTED, RULED_OUT_BY = range(7)
"""A state of the automaton: its moves, whether a match may end here, the values still needed, wanted bits,
and bits of negative events after which no run that is in it can complete."""

FIRST_EVENT, LAST_EVENT = range(2)
"""Columns of the registers that hold a component's first and last event; -1: nobody asks."""

LOW, HIGH, KEYED = range(3)
"""A negative component: bit sets of the components before and after it (0: the window's edge), whether it is
partitioned like the positive ones; then CHECKS and CHECKS_END."""

OUTER_EVENT, OUTER_BEFORE, INNER_EVENT, INNER_BEFORE, WALK_VALUES = range(5)
"""A walk: event at hand and the one before it of two components, then running values."""

BEGIN, STOP, LAST, PREFIX = range(4)
"""A match in the output: path[begin:stop] and its last step; where matches have a probability, that of what
path[begin:stop] holds, as a float. And any other range."""

FILLED, CAPACITY = 1, 2
"""So far before a stretch of `path` that matches share: how far it is written, and where its room ends."""
HEADER = 2

MATCHES, USED, NEED_MATCHES, NEED_PATH, CUT, BEFORE, NEW, NEW_END, BEYOND, DISMISSED, ALL_DISMISSED = range(
    11
)
"""How far an output or a heap of waiting matches has come: matches, used part of `path`, and when it is too
small how many matches and how much of `path` it must hold. An output also: matches cut off by the limit,
matches of earlier calls, and of the event at hand the matches written, where the next one goes, the matches
beyond the limit, and those that are not likely enough; then all of these."""
SIZES = 11

DEADLINE, AGE, PATH, LENGTH, LIKELY = range(5)
"""A waiting match: when it fires, minus its first event (the younger of two that are due comes first), where
its path begins, its length, and its probability so far, as a float."""

TOTAL, DONE = range(2)
"""The ways to a node while matches are counted: those found so far, and whether these are all."""

NOTHING, OUTPUT, WAITING, ROWS, NODES, FINALS, SUMS, SAME, TURN, SETS = range(10)
"""What there may be too little of when a kernel stops; TURN: it is not this disjunct's turn to complete a
match, of several that share what NON-OVERLAP uses up."""

FORM, LEFT, RIGHT, SPAN, TESTS, TESTS_END, JOINED, JOINED_END, APART, APART_END = range(10)
HAPPENS, UNIQUE, KEPT_FOR, CHAIN, LATEST, TALLY, AT_MOST, WIDE, LEAF_BIT = range(10, 19)
"""A node of a tree of operators: its form, the nodes below it, its window, ranges of checks, of its columns
and of pairs of columns whose events must differ; whether it is no part of what is absent, whether the same
outcome may come about twice, for how long outcomes are kept, its columns among the chains of a partition (-1:
nobody looks for them), whether it is enough to know when the latest one was, its column among the counts, the
most outcomes that it may have, how wide one is, and the bit of the events of a leaf."""

NEWEST_TIME = 1
"""So far behind the number of a chain's newest outcome stands its timestamp."""

LEAF, FOLLOWS, BOTH, NOTFOLLOWS, NOTPRECEDES, ANYONE = range(6)
"""Forms of nodes. PRECEDES is FOLLOWS the other way round."""

OFFSET, SLOTS, OLDEST, NEWEST, FRESH, DUE = range(6)
"""Where the outcomes of a node stand: a ring of so many slots from an offset on; number of the oldest kept
outcome, of the next one, of the first one of the moment at hand; and for NOTFOLLOWS the first outcome of the
node on its left whose window is still open."""

MOMENT, TIME, PARTITION, OLDER, ORIGIN, BOUND = range(6)
"""An outcome: its moment (they are numbered in their order), its timestamp, its partition, the one before it
in the same chain, its first event; then the event of each alias, -1 for one that is not bound."""

CHANCE, OPPOSED, CHIEF, FELLOW = range(-4, 0)
"""Where a probability is asked for, the end of an outcome: how likely it is as far as that is known, a float;
the set of events that must not have happened (-1: none); of several ways to one outcome at one moment the
first, and the one before this (the first knows the last)."""
OPPOSED_CELLS = 4

ALIAS, OF_LEFT, OF_RIGHT = range(3)
"""A column of a joined outcome: its alias, and where it stands in the parts (-1: nowhere)."""

MOMENTS, ATTEMPTS, EARLIEST, TWINS_NOW, SHORT, DROPPED, ALL_DROPPED, DOUBTED, ALL_DOUBTED = range(9)
SETS_FIRST, SETS_BEFORE, SETS_END, SETS_NEED = range(9, 13)
"""Of a tree of operators: moments so far, attempts at one (it is begun again when room was lacking), when the
next window ends, how many entries the table of twins has of this attempt, the node that lacks room, outcomes
beyond the limit at this moment and ever, outcomes that are not likely enough, again at this moment and ever;
then of the sets of events the first that is there, where this moment's begin, where they end, and how many
cells this moment needs."""
STATES = 13

ATTEMPT, NODE_OF, NUMBER = range(3)
"""An entry of the table of twins: for which attempt it was made, the node and the number of the outcome."""

VERDICT_BEFORE, VERDICT_AFTER, CASE_OF = range(3)
"""Behind the cells of an event that constraints are beside: what they say of partial matches of its case
before it, and after it, and the case."""
VERDICTS = 3

COMPONENT_BITS = 8
"""A step of a path is `event << 8 | component`."""
COMPONENTS = (1 << COMPONENT_BITS) - 1
