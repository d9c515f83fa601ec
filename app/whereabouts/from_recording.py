"""Learns what a recording can teach of a place: how its readers hear what lies where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from app import log
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import CleanedStream
from app.cleaning.whereabouts.keeping import Believed
from app.cleaning.whereabouts.rates import PlaceRates
from app.place.floor_plan import WAYS_OUT
from app.place.scenario import Scenario
from app.whereabouts.findings import in_words

PASSES = 2
Progress = Callable[[float], None]


class NothingToLearnError(ValueError):
    """The place does not follow whereabouts, or nothing was recorded of it."""


@dataclass(frozen=True)
class Lesson:
    """What was learned from a stretch of the log; `exits` are the exits told of it by what was guessed at
    first and learned on the way, and by what was learned."""

    rates: PlaceRates
    found: tuple[str, ...]
    from_ms: int
    until_ms: int
    rows: int
    exits: tuple[int, int]


def learn(
    setup: CleaningSetup, place: Scenario, start: int, end: int, progress: Progress = lambda _: None
) -> Lesson:
    """Twice over the same rows: what the first pass learned is the first guess of the second, so that what it
    takes for true from the beginning on is what the place has shown."""
    first, early, before = _pass(setup, place, (start, end), None, lambda share: progress(share / PASSES))
    again = first.rates()
    second, late, after = _pass(
        setup, place, (start, end), again, lambda share: progress((1 + share) / PASSES)
    )
    rates = second.rates()
    found = in_words(place.plan, rates, second.heard())
    return Lesson(rates, tuple(found), early, late, end - start, (before, after))


def _pass(
    setup: CleaningSetup, place: Scenario, part: tuple[int, int], rates: PlaceRates | None, progress: Progress
) -> tuple[Believed, int, int]:
    """What is believed at the end, the first moment (in the first pass) or the last, and the exits told."""
    stream = CleanedStream(place, setup.lateness_ms, setup.catalogs)
    if stream.believed is None:
        raise NothingToLearnError(
            f"{place.name} does not follow whereabouts: its file has `method: {place.cleaning.method}`"
        )
    if rates is not None:
        stream.believed.take_over(rates)
        stream.believed.weaken()
    exits, ways_out = 0, pa.array([area.name for area in place.plan.areas if area.kind in WAYS_OUT])
    for batch in log.read(setup.log, *part) if part[0] < part[1] else ():
        exits += _exits(stream.push(batch), ways_out)
        progress((stream.position - part[0]) / (part[1] - part[0]))
    if stream.now <= 0:
        raise NothingToLearnError("nothing was recorded yet: let it run for some hours first")
    return stream.believed, stream.began if rates is None else stream.now, exits


def _exits(events: pa.RecordBatch, ways_out: pa.Array) -> int:
    told = pc.and_(pc.is_valid(events["event_id"]), pc.ends_with(events["event"], "-READING"))
    return int(pc.sum(pc.and_(told, pc.is_in(events["area"], ways_out))).as_py() or 0)
