"""The types of the events that cleaning makes, and whether the detectors switched on can ever see theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

import detectors
from app.place.floor_plan import SHELF, FloorPlan
from detectors.detector import Composite, Detector
from detectors.document import Section
from sase.errors import did_you_mean
from sase.language.walk import happening

ALIVE = "READER-ALIVE"
DUE = "DOSE-DUE"
LOAN_TOLD = "LOAN-TOLD"
CLOCK = "READER-CLOCK"
# Where people are followed from room to room: what they do, probably, and what a home's sensors tell.
ENTERED, LEFT, PRESENT = "ENTERED", "LEFT", "PRESENT"
EMPTY, OCCUPIED = "EMPTY", "OCCUPIED"
MOTION, LEAK = "MOTION", "LEAK"


def reading_type(kind: str) -> str:
    return f"{kind.upper()}-READING"


def left_type(kind: str) -> str:
    return f"{kind.upper()}-LEFT"


def low_type(kind: str) -> str:
    """Fewer of a product are left there than `below`."""
    return f"{kind.upper()}-LOW"


def filled_type(kind: str) -> str:
    """No longer fewer than `below`."""
    return f"{kind.upper()}-FILLED"


def glimpse_type(kind: str) -> str:
    return f"{kind.upper()}-GLIMPSE"


def scan_type(kind: str) -> str:
    return f"{kind.upper()}-SCAN"


def out_type(kind: str) -> str:
    return f"{kind.upper()}-OUT"


def in_type(kind: str) -> str:
    return f"{kind.upper()}-IN"


def cleaned_types(plan: FloorPlan) -> set[str]:
    """Every type that what the sensors of this plan see can become."""
    kinds = {area.kind for area in plan.areas}
    scanned = {area.kind for area in plan.areas_with("barcode")}
    doors = {area.kind for area in plan.doors}
    if plan.moves:
        return _types_of_rooms(plan)
    return {
        *(ALIVE, DUE, CLOCK, *([LOAN_TOLD] if scanned else [])),  # things are lent where cards are scanned
        *(name(kind) for kind in kinds for name in (reading_type, left_type, glimpse_type)),
        *(name(kind) for kind in kinds & {SHELF} for name in (low_type, filled_type)),
        *(scan_type(kind) for kind in scanned),
        *(name(kind) for kind in doors for name in (out_type, in_type)),
    }


def _types_of_rooms(plan: FloorPlan) -> set[str]:
    """Badges are read for the sake of whoever wears them: no reading is an event of its own."""
    return {
        *(ALIVE, CLOCK, ENTERED, LEFT, EMPTY, OCCUPIED),
        *([MOTION] if plan.passages else []),
        *([LEAK, PRESENT] if plan.with_sensor("leak") else []),
    }


_SUFFIXES = ("-READING", "-LEFT", "-GLIMPSE", "-SCAN", "-OUT", "-IN")


def known_kinds() -> frozenset[str]:
    """The kinds of area that some detector or composite event reads."""
    rules = [*detectors.load().values(), *detectors.composites().values()]
    types = {kind for rule in rules for kind in rule.reads()}
    return frozenset(
        name.removesuffix(suffix).lower()
        for name in types
        for suffix in _SUFFIXES
        if name.endswith(suffix) and not name.startswith("READER-")
    )


def check_kinds(section: Section, plan: FloorPlan) -> None:
    """A kind of one's own is no fault, but one that is nearly another and that no detector reads is."""
    if plan.moves:
        return  # rooms are told by their names and kinds, whatever these are
    known, entries = known_kinds(), dict(section.section("plan").section("areas").items())
    for area in plan.areas:
        if area.kind not in known and (hint := did_you_mean(area.kind, sorted(known))):
            entries[area.name].fault(f"no detector knows the kind {area.kind!r}. {hint}")


def possible_composites(plan: FloorPlan) -> dict[str, Composite]:
    """The composite events that can be made with this plan, level by level."""
    types, found = cleaned_types(plan), dict[str, Composite]()
    waiting = detectors.composites()
    while ready := {name: one for name, one in waiting.items() if not never(one, types)}:
        found |= ready
        types |= {one.makes for one in ready.values()}
        waiting = {name: one for name, one in waiting.items() if name not in ready}
    return found


def stream_types(plan: FloorPlan) -> set[str]:
    """Those, and the composite events that can be made of them."""
    return cleaned_types(plan) | {one.makes for one in possible_composites(plan).values()}


def kinds_of(types: Iterable[str], plan: FloorPlan) -> tuple[str, ...]:
    """The kinds of area whose readings make events of these types, directly or as parts of a composite."""
    made_of, wanted = possible_composites(plan).values(), set(types)
    while grown := {kind for one in made_of if one.makes in wanted for kind in one.reads()} - wanted:
        wanted |= grown
    makers = (
        *(reading_type, left_type, glimpse_type, low_type, filled_type),
        *(scan_type, out_type, in_type),
    )
    kinds = dict.fromkeys(area.kind for area in plan.areas)
    return tuple(kind for kind in kinds if not wanted.isdisjoint(name(kind) for name in makers))


def never(rule: Composite, types: Set[str]) -> list[str]:
    """The components of a query that can never come, because no type that they ask for occurs. One of several
    types is enough, and what must not come need not be able to."""
    asked = [leaf.types for leaf in happening(rule.tree().pattern)]
    return [" or ".join(wanted) for wanted in asked if types.isdisjoint(wanted)]


def check_types(section: Section, plan: FloorPlan, known: Mapping[str, Detector]) -> None:
    """A detector that waits for what cannot come here is a mistake in the scenario."""
    types = stream_types(plan)
    for name, entry in section.items():
        if name in known and (missing := never(known[name], types)):
            entry.fault(f"{name} needs {', '.join(missing)}, but no area of the plan has such a kind")
