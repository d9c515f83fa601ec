"""When an absent event was absent, and whether the readers that would have seen it were alive then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from app.detection.outcomes import AbsentTime, Events, MatchOutcomes
from app.place.event_types import left_type, reading_type
from app.place.floor_plan import FloorPlan, Reader
from app.store import Absence, ExpectedReader, Silence
from detectors.detector import Detector
from detectors.explanation import each
from sase.language.duration import FACTORS
from sase.language.names import named
from sase.language.tree import Equivalence, Leaf, Operator, Parameter, QueryTree
from sase.language.walk import conjuncts, happening, standings


def absent_times(query: QueryTree, values: Mapping[str, Any], events: Events) -> list[AbsentTime]:
    """Where the negative components were absent: between their neighbours, or up to the window's edge."""
    pattern, length = named(query.pattern), window_ms(query, values)
    if isinstance(pattern, Operator):
        return list(MatchOutcomes(values, events).absent(pattern))
    times = list(_times(happening(pattern), events))
    low, high = max(times) - length, min(times) + length
    return [
        AbsentTime(
            one.leaf,
            max(_times(one.before, events), default=low),
            min(_times(one.after, events), default=high),
        )
        for one in standings(pattern)
        if one.absent is not None
    ]


def window_ms(query: QueryTree, values: Mapping[str, Any]) -> int:
    """The length of WITHIN; 0 if there is none or it counts events."""
    if query.within is None or query.within.unit == "events":
        return 0
    size = query.within.size
    return int(values[size.name] if isinstance(size, Parameter) else size) * FACTORS[query.within.unit]


def absences(
    found: Sequence[AbsentTime],
    detector: Detector,
    plan: FloorPlan,
    silences: Sequence[Silence],
    events: Events,
) -> tuple[Absence, ...]:
    """What to show of each absence; readers only for the component on which the alert rests."""
    return tuple(_absence(absent, detector, plan, silences, events) for absent in found)


def is_proven(absent: Sequence[Absence]) -> bool:
    """Whether every reader that would have seen an absent event was alive all the time."""
    return all(reader.alive for absence in absent for reader in absence.readers)


def _times(leaves: Iterable[Leaf], events: Events) -> Iterator[int]:
    """The times of the components' events."""
    for leaf in leaves:
        yield from (event["ts"] for event in each(events.get(leaf.var or "", [])))


def _absence(
    absent: AbsentTime, detector: Detector, plan: FloorPlan, silences: Sequence[Silence], events: Events
) -> Absence:
    rests_on = detector.absent is not None and absent.leaf.var == detector.absent.component
    readers = _readers_expected(absent, detector, plan, events) if rests_on else []
    expected = tuple(_expected(reader.name, absent, silences) for reader in readers)
    name, types = absent.leaf.var or "", " or ".join(absent.leaf.types)
    return Absence(name, types, absent.from_ms, absent.until_ms, expected)


def _readers_expected(
    absent: AbsentTime, detector: Detector, plan: FloorPlan, events: Events
) -> list[Reader]:
    """The readers in whose areas it would have happened: one area if the query asks for the same one."""
    assert detector.absent is not None
    kinds = {area.name: area.kind for area in plan.areas}
    readers = [reader for reader in plan.readers if kinds[reader.area] in detector.absent.kinds]
    if not _asks_for(detector.tree(), "area") or not _is_local(absent.leaf, detector.absent.kinds):
        return readers
    areas = {event.get("area") for bound in events.values() for event in each(bound)}
    return [reader for reader in readers if reader.area in areas]


def _asks_for(query: QueryTree, attribute: str) -> bool:
    parts = conjuncts(query.condition)
    return any(isinstance(part, Equivalence) and part.attribute == attribute for part in parts)


def _is_local(leaf: Leaf, kinds: Sequence[str]) -> bool:
    """Whether the event is made of readings of an area directly, so that its area is where it is seen."""
    direct = {name for kind in kinds for name in (reading_type(kind), left_type(kind))}
    return direct.issuperset(leaf.types)


def _expected(reader: str, absent: AbsentTime, silences: Sequence[Silence]) -> ExpectedReader:
    silent = sum(_overlap(silence, absent) for silence in silences if silence.reader == reader)
    return ExpectedReader(reader, silent == 0, silent)


def _overlap(silence: Silence, absent: AbsentTime) -> int:
    ends = absent.until_ms if silence.until_ms is None else silence.until_ms
    return max(0, min(ends, absent.until_ms) - max(silence.from_ms, absent.from_ms))
