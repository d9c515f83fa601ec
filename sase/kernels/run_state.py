"""What the kernels of runs work on: the plan as tables, runs, buffer, output, work space."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

STRICT, NEXT_MATCH, ANY_MATCH = range(3)  # may a run ignore an event: never, if it cannot be selected, always
NOTHING, OUTPUT, WAITING, ROWS, NODES, FINALS = range(6)  # what there may be too little of
COMPONENT, TAKE, TARGET, PROCEED, CHECKS, CHECKS_END = range(6)  # columns of `moves`
MOVES, MOVES_END, COMPLETE, LIVE, LIVE_END, WANTED = range(6)  # columns of `states`
FREE, ALIVE = range(2)  # of `rows`: first free row, runs alive
HEAD, COUNT, WANTS = range(
    3
)  # of `heads`: first run of a partition, how many, bits that some of them may want
MATCHES, USED, CUT, REFUSED, BEFORE, NEED_PATH, NEED_SPANS, SIZES = range(8)
# of an output: matches, events written, matches and partial matches cut off, matches of earlier calls; and
# when it is too small, how long `path` and `spans` must be
BEGIN, STOP, LAST = range(3)  # of `spans`: a match is path[begin:stop] and its last event
FILLED, CAPACITY = 1, 2  # so far before a stretch of `path`: up to where it is written, and where it ends
HEADER = 2
STAMP, RUN = range(2)  # of `table`


class RunPlan(NamedTuple):
    length: int
    window: int
    strategy: int
    accept: int  # checks from here to `accept_end` wait for the end of the match
    accept_end: int
    walks: bool
    prune: bool
    share: bool
    merge: bool
    trailing: bool
    once: bool
    compressed: bool
    limit: int  # partial matches per partition
    match_limit: int  # matches per event


class Automaton(NamedTuple):
    moves: NDArray[np.int64]
    states: NDArray[np.int64]
    live: NDArray[
        np.int64
    ]  # (n, 2): column of a register and of the attribute read from it, or of a running value and -1
    registers: NDArray[
        np.int64
    ]  # (component, 4): columns of its first and last event in a run, and in a finished match


class Runs(NamedTuple):
    table: NDArray[np.int64]
    heads: NDArray[np.int64]
    barrier: NDArray[np.int64]  # per group: the event up to which NON-OVERLAP has used everything up
    rows: NDArray[np.int64]


class Buffer(NamedTuple):
    nodes: NDArray[np.int64]
    base: NDArray[np.int64]


class Output(NamedTuple):
    path: NDArray[np.int64]  # event << 8 | component
    spans: NDArray[np.int64]  # (match, 3)
    size: NDArray[np.int64]  # its columns are named above


class Work(NamedTuple):
    path: NDArray[np.int64]  # (n, 2): event and component
    stack: NDArray[np.int64]  # nodes of the path being enumerated, last event first
    final: NDArray[np.int64]  # nodes that complete a match on the current event
    table: NDArray[np.int64]  # to find equivalent runs
    match: NDArray[np.int64]  # one row: registers of a finished match, for negation
