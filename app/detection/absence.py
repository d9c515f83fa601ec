"""When an absent event was absent, and whether the readers that would have seen it were alive then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from app.detection.outcomes import AbsentTime, Events, MatchOutcomes
from app.place.event_types import filled_type, kinds_of, left_type, low_type, reading_type
from app.place.floor_plan import FloorPlan, Reader
from app.store import VIGIL, Absence, Silence, expected
from detectors.detector import Detector, window_ms
from detectors.explanation import each
from sase.language.names import named
from sase.language.tree import Equivalence, Leaf, Operator, QueryTree
from sase.language.walk import conjuncts, happening, standings

_DIRECT = (reading_type, left_type, low_type, filled_type)


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


def absences(
    found: Sequence[AbsentTime],
    detector: Detector,
    plan: FloorPlan,
    silences: Sequence[Silence],
    events: Events,
) -> tuple[Absence, ...]:
    """What to show of each absence, with the readers that would have seen it."""
    return tuple(_absence(absent, detector, plan, silences, events) for absent in found)


def watched_since(absent: Absence, silences: Sequence[Silence]) -> int | None:
    """When Vigil began to watch, if it was not yet there when the absence began."""
    beginning = (one.until_ms for one in silences if one.reader == VIGIL and one.from_ms == 0)
    return next((began for began in beginning if began is not None and began > absent.from_ms), None)


def _times(leaves: Iterable[Leaf], events: Events) -> Iterator[int]:
    """The times of the components' events."""
    for leaf in leaves:
        yield from (event["ts"] for event in each(events.get(leaf.var or "", [])))


def _absence(
    absent: AbsentTime, detector: Detector, plan: FloorPlan, silences: Sequence[Silence], events: Events
) -> Absence:
    readers = _readers_expected(absent, detector, plan, events)
    watched = tuple(expected(one.name, absent.from_ms, absent.until_ms, silences) for one in readers)
    name, types = absent.leaf.var or "", " or ".join(absent.leaf.types)
    return Absence(name, types, absent.from_ms, absent.until_ms, watched)


def _readers_expected(
    absent: AbsentTime, detector: Detector, plan: FloorPlan, events: Events
) -> list[Reader]:
    """The readers in whose areas it would have happened: one area if the query asks for the same one."""
    wanted = _kinds(absent.leaf, detector, plan)
    kinds = {area.name: area.kind for area in plan.areas}
    readers = [reader for reader in plan.readers if kinds[reader.area] in wanted]
    if not _asks_for(detector.tree(), "area") or not _is_local(absent.leaf, wanted):
        return readers
    areas = {event.get("area") for bound in events.values() for event in each(bound)}
    return [reader for reader in readers if reader.area in areas]


def _kinds(leaf: Leaf, detector: Detector, plan: FloorPlan) -> tuple[str, ...]:
    """The kinds of area that would have seen it: as the detector says for the component that it names, for
    its others by their types. A detector that names none does not rest on what is absent."""
    if detector.absent is None:
        return ()
    return detector.absent.kinds if leaf.var == detector.absent.component else kinds_of(leaf.types, plan)


def _asks_for(query: QueryTree, attribute: str) -> bool:
    parts = conjuncts(query.condition)
    return any(isinstance(part, Equivalence) and part.attribute == attribute for part in parts)


def _is_local(leaf: Leaf, kinds: Sequence[str]) -> bool:
    """Whether the event is made of readings of an area directly, so that its area is where it is seen."""
    direct = {type_of(kind) for kind in kinds for type_of in _DIRECT}
    return direct.issuperset(leaf.types)
