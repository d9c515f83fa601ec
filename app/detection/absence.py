"""When an absent event was absent, and whether the readers that would have seen it were alive then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.place.event_types import left, reading
from app.place.floor_plan import Plan, Reader
from app.store import Absence, Silence, Watch
from detectors.detector import Detector
from detectors.explanation import each
from sase.language.duration import FACTORS
from sase.language.names import named
from sase.language.tree import Equivalence, Leaf, Parameter, Query
from sase.language.walk import conjuncts, happening, standings

Events = Mapping[str, Any]


@dataclass(frozen=True)
class Stretch:
    """A negative component and the time in which none of its events came."""

    leaf: Leaf
    from_ms: int
    until_ms: int


def stretches(query: Query, values: Mapping[str, Any], events: Events) -> list[Stretch]:
    """Where the negative components were absent: between their neighbours, or up to the window's edge."""
    pattern, length = named(query.pattern), window_ms(query, values)
    times = list(_times(happening(pattern), events))
    low, high = max(times) - length, min(times) + length
    return [
        Stretch(
            one.leaf,
            max(_times(one.before, events), default=low),
            min(_times(one.after, events), default=high),
        )
        for one in standings(pattern)
        if one.absent is not None
    ]


def window_ms(query: Query, values: Mapping[str, Any]) -> int:
    """The length of WITHIN; 0 if there is none or it counts events."""
    if query.within is None or query.within.unit == "events":
        return 0
    size = query.within.size
    return int(values[size.name] if isinstance(size, Parameter) else size) * FACTORS[query.within.unit]


def absences(
    found: Sequence[Stretch], detector: Detector, plan: Plan, silences: Sequence[Silence], events: Events
) -> tuple[Absence, ...]:
    """What to show of each stretch; readers only for the component on which the alert rests."""
    return tuple(_absence(stretch, detector, plan, silences, events) for stretch in found)


def is_proven(absent: Sequence[Absence]) -> bool:
    """Whether every reader that would have seen an absent event was alive all the time."""
    return all(watch.alive for absence in absent for watch in absence.readers)


def _times(leaves: Iterable[Leaf], events: Events) -> Iterator[int]:
    """The times of the components' events."""
    for leaf in leaves:
        yield from (event["ts"] for event in each(events.get(leaf.var or "", [])))


def _absence(
    stretch: Stretch, detector: Detector, plan: Plan, silences: Sequence[Silence], events: Events
) -> Absence:
    rests_on = detector.absent is not None and stretch.leaf.var == detector.absent.component
    readers = _watchers(stretch, detector, plan, events) if rests_on else []
    watches = tuple(_watch(reader.name, stretch, silences) for reader in readers)
    name, types = stretch.leaf.var or "", " or ".join(stretch.leaf.types)
    return Absence(name, types, stretch.from_ms, stretch.until_ms, watches)


def _watchers(stretch: Stretch, detector: Detector, plan: Plan, events: Events) -> list[Reader]:
    """The readers in whose areas it would have happened: one area if the query asks for the same one."""
    assert detector.absent is not None
    kinds = {area.name: area.kind for area in plan.areas}
    readers = [reader for reader in plan.readers if kinds[reader.area] in detector.absent.kinds]
    if not _asks_for(detector.tree(), "area") or not _is_local(stretch.leaf, detector.absent.kinds):
        return readers
    areas = {event.get("area") for bound in events.values() for event in each(bound)}
    return [reader for reader in readers if reader.area in areas]


def _asks_for(query: Query, attribute: str) -> bool:
    parts = conjuncts(query.condition)
    return any(isinstance(part, Equivalence) and part.attribute == attribute for part in parts)


def _is_local(leaf: Leaf, kinds: Sequence[str]) -> bool:
    """Whether the event is made of readings of an area directly, so that its area is where it is seen."""
    direct = {name for kind in kinds for name in (reading(kind), left(kind))}
    return direct.issuperset(leaf.types)


def _watch(reader: str, stretch: Stretch, silences: Sequence[Silence]) -> Watch:
    silent = sum(_overlap(silence, stretch) for silence in silences if silence.reader == reader)
    return Watch(reader, silent == 0, silent)


def _overlap(silence: Silence, stretch: Stretch) -> int:
    ends = stretch.until_ms if silence.until_ms is None else silence.until_ms
    return max(0, min(ends, stretch.until_ms) - max(silence.from_ms, stretch.from_ms))
