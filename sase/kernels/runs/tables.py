"""What the kernels of runs work on: the plan as tables, runs, work space, and the event at hand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.likelihood import Likelihood
from sase.kernels.runs.buffer import Buffer
from sase.kernels.runs.form import Form

STRICT, NEXT_MATCH, ANY_MATCH = range(3)  # may a run ignore an event: never, if it cannot be selected, always
NONE = -1  # no run, no node
START_STATE = 0


class RunPlan(NamedTuple):
    length: int
    window: int
    strategy: int
    accept: int  # checks from here to `accept_end` wait for the end of the match
    accept_end: int
    prune: bool
    merge: bool
    grouped: bool  # runs of a partition know their groups: under NON-OVERLAP and contiguity
    compressed: bool
    limit: int  # partial matches per partition
    likelihood: Likelihood
    form: Form


class AutomatonTables(NamedTuple):
    moves: NDArray[np.int64]
    states: NDArray[np.int64]
    live: NDArray[np.int64]  # (n, 2): a register and the attribute read from it, or a running value and -1
    registers: NDArray[np.int64]  # per component the columns of its first and last event in a run


class Runs(NamedTuple):
    rows: NDArray[np.int64]
    heads: NDArray[np.int64]  # a row per partition
    counts: NDArray[np.int64]


class RunWork(NamedTuple):
    path: NDArray[np.int64]  # steps
    stack: NDArray[np.int64]  # nodes of the path being enumerated, last event first
    final: NDArray[np.int64]  # nodes that complete a match on the event at hand
    twins: NDArray[np.int64]  # to find equivalent runs
    moves: NDArray[np.int64]  # that a run can make on the event at hand
    likely: NDArray[np.float64]  # per node on the stack how likely the way from it to the end is
    sums: NDArray[np.int64]  # a row per node, for counting the matches of an event


class RunTables(NamedTuple):
    plan: RunPlan
    automaton: AutomatonTables
    runs: Runs
    buffer: Buffer
    work: RunWork


class Arrival(NamedTuple):
    """The event at hand, read once."""

    event: int
    clock: int
    key: int
    group: int
    bits: int
    order: int
    barrier: int  # NON-OVERLAP has used up everything to here
    merges: bool  # runs may become alike: several can select it
    chance: float  # how likely it is to have happened; 1 where nobody asks
