"""Which queries run in a place, and with which parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import detectors
from app.cleaning.controls import detector_rule
from app.place.event_types import never, possible_composites, stream_types
from app.place.scenario import Scenario
from app.store import Switch
from sase.spark import Rule


def rules(scenario: Scenario, enabled: Mapping[str, Mapping[str, Any]]) -> dict[str, Rule]:
    """The detectors' queries with their parameters, and the composite events that can occur in this place."""
    known, lower = detectors.load(), possible_composites(scenario.plan)
    composed = {name: Rule(one.query, one.values(scenario.events.get(name))) for name, one in lower.items()}
    chosen = {
        name: detector_rule(known[name].query, known[name].still_valid(values), known[name].breaks)
        for name, values in enabled.items()
        if name in known
    }
    return composed | chosen


def defaults(scenario: Scenario) -> list[Switch]:
    """How the scenario's file sets the detectors; one that it does not name is off."""
    types = stream_types(scenario.plan)
    fitting = {name: one for name, one in detectors.load().items() if not never(one, types)}
    return [
        Switch(
            scenario.name, name, name in scenario.detectors, dict(scenario.detectors.get(name, one.values()))
        )
        for name, one in fitting.items()
    ]
