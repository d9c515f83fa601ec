"""What a place's constraints are to a detector: those that concern it, and what work they spare it."""

from __future__ import annotations

from dataclasses import replace

import detectors
from app.place.declared_constraints import constraints_about, spared_by
from app.place.scenario import Scenario

KEPT = "exclusive(FITTING-LEFT, EXIT-READING) BY id FOR 30 days"


def test_a_detector_that_keeps_the_cases_together_is_told_what_fails_it(shop: Scenario) -> None:
    shoplifting = detectors.load()["shoplifting"]
    spared = spared_by(KEPT, shop.plan, shoplifting, {})
    assert constraints_about(KEPT, shoplifting) == ["exclusive(FITTING-LEFT, EXIT-READING)"]
    assert spared[0] == "Constraints   by id: exclusive(FITTING-LEFT, EXIT-READING)"
    assert any(line.split()[0] == "fails" and "FITTING-LEFT" in line for line in spared)


def test_what_speaks_of_composite_events_spares_nothing(shop: Scenario) -> None:
    shoplifting = detectors.load()["shoplifting"]
    assert shop.constraints is not None
    assert constraints_about(shop.constraints, shoplifting)
    assert spared_by(shop.constraints, shop.plan, shoplifting, {}) == []


def test_a_query_without_those_cases_and_one_that_tells_breaches_are_spared_nothing(shop: Scenario) -> None:
    known = detectors.load()
    assert spared_by(KEPT, shop.plan, known["reader_silent"], {}) == []
    assert spared_by(KEPT, shop.plan, known["impossible"], {}) == []
    assert spared_by(None, shop.plan, known["shoplifting"], {}) == []


def test_a_place_may_have_no_constraints(shop: Scenario) -> None:
    assert constraints_about(replace(shop, constraints=None).constraints, detectors.load()["misplaced"]) == []
