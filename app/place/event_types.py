"""The types of the events that cleaning makes, and whether the detectors switched on can ever see theirs."""

from __future__ import annotations

from collections.abc import Mapping

import detectors
from app.place.floor_plan import FloorPlan
from detectors.detector import Detector
from detectors.document import Section

ALIVE = "READER-ALIVE"
DUE = "DOSE-DUE"
CLOCK = "READER-CLOCK"


def reading_type(kind: str) -> str:
    return f"{kind.upper()}-READING"


def left_type(kind: str) -> str:
    return f"{kind.upper()}-LEFT"


def cleaned_types(plan: FloorPlan) -> set[str]:
    """Every type that the readings of this plan can become."""
    kinds = {area.kind for area in plan.areas}
    return {ALIVE, DUE, CLOCK} | {reading_type(kind) for kind in kinds} | {left_type(kind) for kind in kinds}


def check_types(section: Section, plan: FloorPlan, known: Mapping[str, Detector]) -> None:
    """A detector none of whose event types can occur here is a mistake in the scenario."""
    types = cleaned_types(plan)
    for composite in detectors.composites().values():
        if types.intersection(composite.reads()):
            types.add(composite.makes)
    for name, entry in section.items():
        if name in known and not types.intersection(known[name].reads()):
            wanted = ", ".join(known[name].reads())
            entry.fault(f"{name} needs {wanted}, but no area of the plan has such a kind")
