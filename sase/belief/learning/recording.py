"""A recording as learning reads it: time in equal steps, and for each entity what was heard of it in each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.belief.filters.belief import LONGEST_GAP
from sase.belief.learning.rates import PHASES
from sase.belief.sightings.reading import Sighting, backwards, dicts, sightings
from sase.belief.world.hearing import Hearing
from sase.belief.world.model import Model
from sase.belief.world.motion import Floats

_WORK = 10_000_000  # steps times hidden states squared, in one round of learning
_FEWEST = 20  # entities that are learned from however long the recording is
_BY_GATES = 1000  # milliseconds, where there is no poll to go by
NAMED = 0.9  # from this probability on a guess counts as a name


@dataclass(frozen=True)
class Heard:
    """One entity from its first to its last sighting: which sensor heard it, which gate it passed."""

    first: int  # step
    steps: int
    hits: NDArray[np.int64]  # (n, 3): step from the first on, sensor, at how many polls
    passed: Sequence[tuple[int, str, str | None]]  # step from the first on, gate, to


@dataclass(frozen=True)
class Recording:
    step: int  # milliseconds
    polls: Floats  # (steps, sensors): how often each sensor listened in each
    heard: Sequence[Heard]


def read(rows: Any, model: Model) -> list[Sighting]:
    """The sightings of a recording; whoever is named in it is an entity."""
    given = dicts(rows)
    names = {name: 0 for row in given for name in _named(row)}
    found = list(sightings(given, model, names))
    for before, after in pairwise(found):
        if after.ts < before.ts:
            raise backwards(after.ts, before.ts, "learn")
    return found


def name_of(sighting: Sighting) -> str | None:
    """Whom it is about, if that is as good as certain."""
    if not sighting.who or sighting.sure < NAMED:
        return None
    name, share = max(sighting.who.items(), key=lambda each: each[1])
    return name if share >= NAMED else None


def recording(seen: Sequence[Sighting], signs: Iterable[tuple[int, str]], hearing: Hearing) -> Recording:
    """In steps of the fastest sensor's polls, or longer ones where that would take too long."""
    first, last = (seen[0].ts, seen[-1].ts) if seen else (0, 0)
    by_name: dict[str, list[Sighting]] = defaultdict(list)
    for sighting in seen:
        if (name := name_of(sighting)) is not None:
            by_name[name].append(sighting)
    watches = hearing.every[hearing.is_watch]
    fastest = int(watches.min()) if len(watches) else _BY_GATES
    most = _WORK // (PHASES * len(hearing.motion.places)) ** 2  # steps
    chosen = _some(list(by_name.values()), most * fastest)
    step = max(fastest, _span(chosen) // most)
    polls = _polls(seen, signs, hearing, first, (last - first) // step + 1, step)
    heard = [_heard(rows, hearing, first, step) for rows in chosen]
    return Recording(step, polls, heard)


def _some(everybody: list[list[Sighting]], longest: int) -> list[list[Sighting]]:
    """Every so many-th entity where all would take too long; one is like the other."""
    parts = min(-(-_span(everybody) // longest), len(everybody) // _FEWEST)
    return everybody[:: max(parts, 1)]


def _span(entities: Sequence[Sequence[Sighting]]) -> int:
    return sum(rows[-1].ts - rows[0].ts for rows in entities)


def _heard(rows: Sequence[Sighting], hearing: Hearing, first: int, step: int) -> Heard:
    begin = (rows[0].ts - first) // step
    every = {name: int(hearing.every[number]) for name, number in hearing.number.items()}
    polls = {((row.ts - first) // step - begin, row.sensor, row.ts // every[row.sensor]) for row in rows}
    heard = Counter((at, hearing.number[sensor]) for at, sensor, _ in polls)
    watched = sorted((*hit, often) for hit, often in heard.items() if hearing.is_watch[hit[1]])
    passed = [
        ((row.ts - first) // step - begin, row.sensor, row.to)
        for row in rows
        if not hearing.is_watch[hearing.number[row.sensor]]
    ]
    steps = (rows[-1].ts - first) // step - begin + 1
    return Heard(begin, steps, np.array(watched, np.int64).reshape(-1, 3), passed)


def _polls(
    seen: Sequence[Sighting],
    signs: Iterable[tuple[int, str]],
    hearing: Hearing,
    first: int,
    steps: int,
    step: int,
) -> Floats:
    """A sensor listens between two signs of life that are not far apart, and when it gives one."""
    polls = np.zeros((steps, len(hearing.names)))
    times: dict[str, list[int]] = defaultdict(list)
    for ts, sensor in [*((row.ts, row.sensor) for row in seen), *signs]:
        times[sensor].append(ts)
    for name, of_sensor in times.items():
        number = hearing.number[name]
        at = np.unique((np.array(of_sensor) - first) // step)
        at = at[(at >= 0) & (at < steps)]
        longest = max(LONGEST_GAP * int(hearing.every[number]) // step, 1)
        changes = np.zeros(steps + 1)
        for since, until in pairwise(at):
            if until - since <= longest:
                changes[since] += 1
                changes[until] -= 1
        working = np.cumsum(changes)[:steps] > 0
        working[at] = True
        polls[:, number] = np.where(working, step / hearing.every[number], 0.0)
    return polls * hearing.is_watch


def _named(row: Mapping[str, Any]) -> Iterable[str]:
    if row.get("entity") is not None:
        yield row["entity"]
    for name, share in dict(row.get("entities") or {}).items():
        if share is not None:
            yield name
