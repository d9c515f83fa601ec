"""The types of the events that cleaning makes, and whether the detectors switched on can ever see theirs."""

from __future__ import annotations

from collections.abc import Mapping, Set

import detectors
from app.place.floor_plan import FloorPlan
from detectors.detector import Composite, Detector
from detectors.document import Section
from sase.language.walk import happening

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


def stream_types(plan: FloorPlan) -> set[str]:
    """Those, and the composite events that can be made of them."""
    types = cleaned_types(plan)
    return types | {one.makes for one in detectors.composites().values() if not never(one, types)}


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
