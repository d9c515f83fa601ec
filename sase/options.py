"""What the planner may do: each optimisation can be switched off to measure it; none changes an answer."""

from __future__ import annotations

from dataclasses import dataclass

PARTIAL_LIMIT = 1_000_000
MATCH_LIMIT = 10_000_000
NO_LIMIT = 2**62


@dataclass(frozen=True, slots=True)
class Options:
    """Section numbers are those of SASE (SIGMOD 2006) and SASE+ (SIGMOD 2008)."""

    partition: bool = True  # stacks and runs per value of an equivalence attribute (SASE 4.2.1)
    partition_all: bool = True  # of all equivalence attributes together, not of the first only (SASE 4.2.2)
    infer_partition: bool = True  # also from plain equalities such as x.id = y.id
    instance_pointers: bool = True  # each instance knows its most recent predecessor (SASE 4.1.1)
    push_predicates: bool = True  # test conditions as soon as their events are known (SASE 4.3)
    push_window: bool = True  # prune what has left the window during scan and construction (SASE 4.3)
    index_negation: bool = True  # negative events per partition, with pointers to the latest (SASE 4.4)
    stacks: bool = True  # stacks where they suffice; off: runs for everything (SASE 4 against SASE+ 5)
    share_buffer: bool = True  # runs share their common past in one buffer (SASE+ 5.1)
    merge_runs: bool = True  # runs that can no longer differ become one (SASE+ 5.2.2)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that keep a query that explodes from taking the process with it; what they cut is counted."""

    partial_matches: int = PARTIAL_LIMIT  # under way at once in one partition
    matches_per_event: int = MATCH_LIMIT  # ending on one event
    matches_at_once: int = NO_LIMIT  # found in one push, or waiting for the end of their windows
