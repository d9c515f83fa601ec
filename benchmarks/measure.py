"""How a speed is measured: processor time of one core, best of some rounds, everything compiled before."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import sase
from benchmarks import baseline
from benchmarks.streams import Stream
from benchmarks.workloads import Workload

# Processor time, not the clock on the wall: other work on the machine should not count.
_clock = time.process_time
LEAST_SECONDS = 1e-6  # the clock may not have moved at all


@dataclass(frozen=True)
class Speed:
    events: int
    seconds: float
    matches: int

    @property
    def rate(self) -> float:
        return self.events / self.seconds


def engine(text: str, stream: Stream, rounds: int, options: sase.Options | None = None) -> Speed:
    query = sase.compile(text, options=options)
    query.matcher().push(stream[0].slice(0, 100))
    return best(lambda: matched(query, stream), stream, rounds)


def by_turns(texts: Sequence[str], stream: Stream, rounds: int) -> list[Speed]:
    """The best of each, round by round one after the other: a machine that grows slower does so for all."""
    queries = [sase.compile(text) for text in texts]
    for query in queries:
        query.matcher().push(stream[0].slice(0, 100))
    turns = [[best(partial(matched, query, stream), stream, 1) for query in queries] for _ in range(rounds)]
    return [min(speeds, key=lambda speed: speed.seconds) for speeds in zip(*turns, strict=True)]


def generated(workload: Workload, stream: Stream, rounds: int) -> Speed:
    match = baseline.compiled(workload.source)
    return best(lambda: len(match(baseline.columns(stream, workload.columns))), stream, rounds)


def matched(query: sase.Query, stream: Stream) -> int:
    matcher = query.matcher()
    found = sum(len(matcher.push(batch)) for batch in stream) + len(matcher.finish())
    assert not matcher.overflow, "the limits cut matches off: the figures would be too good"
    return found


def best(work: Callable[[], int], stream: Stream, rounds: int) -> Speed:
    """`work` goes through the stream and tells how many matches it has found."""
    events = sum(map(len, stream))
    return min((timed(work, events) for _ in range(rounds)), key=lambda speed: speed.seconds)


def timed(work: Callable[[], int], events: int) -> Speed:
    """Without the garbage collector: it would look through all that was found again and again."""
    gc.collect()
    gc.disable()
    try:
        began = _clock()
        matches = work()
        return Speed(events, max(_clock() - began, LEAST_SECONDS), matches)
    finally:
        gc.enable()
