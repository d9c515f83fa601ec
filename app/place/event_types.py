"""The types of the events that cleaning makes, and whether the detectors switched on can ever see theirs."""

from __future__ import annotations

from collections.abc import Mapping

import detectors
from app.place.floor_plan import FloorPlan
from detectors.detector import Composite, Detector
from detectors.document import Section

ALIVE = "READER-ALIVE"
DUE = "DOSE-DUE"
LOAN_TOLD = "LOAN-TOLD"
CLOCK = "READER-CLOCK"


def reading_type(kind: str) -> str:
    return f"{kind.upper()}-READING"


def left_type(kind: str) -> str:
    return f"{kind.upper()}-LEFT"


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
    doors = {area.kind for area in plan.areas_with("motion")}
    return {
        *(ALIVE, DUE, CLOCK, *([LOAN_TOLD] if scanned else [])),  # things are lent where cards are scanned
        *(name(kind) for kind in kinds for name in (reading_type, left_type)),
        *(scan_type(kind) for kind in scanned),
        *(name(kind) for kind in doors for name in (out_type, in_type)),
    }


def possible_composites(plan: FloorPlan) -> dict[str, Composite]:
    """The composite events that can occur with this plan: all that they read can occur."""
    types, found = cleaned_types(plan), dict[str, Composite]()
    waiting = detectors.composites()
    while ready := {name: one for name, one in waiting.items() if types.issuperset(one.reads())}:
        found |= ready
        types |= {one.makes for one in ready.values()}
        waiting = {name: one for name, one in waiting.items() if name not in ready}
    return found


def possible_types(plan: FloorPlan) -> set[str]:
    """Every type of event that can occur with this plan, composite ones too."""
    return cleaned_types(plan) | {one.makes for one in possible_composites(plan).values()}


def check_types(section: Section, plan: FloorPlan, known: Mapping[str, Detector]) -> None:
    """A detector none of whose event types can occur here is a mistake in the scenario."""
    types = possible_types(plan)
    for name, entry in section.items():
        if name in known and not types.intersection(known[name].reads()):
            wanted = ", ".join(known[name].reads())
            entry.fault(f"{name} needs {wanted}, but no area of the plan has such a kind")
