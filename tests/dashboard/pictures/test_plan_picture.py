"""The picture of a plan: every component in order, the absent ones dashed, the repeated ones with a loop."""

from __future__ import annotations

import pytest

import detectors
from dashboard.pictures import plan_picture

KNOWN = detectors.load()


@pytest.mark.parametrize("name", KNOWN)
def test_every_detector_has_a_picture(name: str) -> None:
    detector = KNOWN[name]
    drawn = plan_picture.dot(detector.tree(), detector.compile().explain())
    assert drawn.startswith("digraph plan {")
    assert drawn.count("[label=") >= len(detector.reads())


def test_the_absent_payment_of_shoplifting_is_dashed_between_shelf_and_exit() -> None:
    detector = KNOWN["shoplifting"]
    lines = plan_picture.dot(detector.tree(), detector.compile().explain()).splitlines()
    assert 'c2 [label="no COUNTER-READING y", style="rounded,dashed"' in lines[3]
    assert lines[5:8] == ["c0 -> c1;", "c1 -> c2;", "c2 -> c3;"]


def test_the_doses_of_an_overdose_repeat() -> None:
    detector = KNOWN["overdose"]
    assert "c0 -> c0;" in plan_picture.dot(detector.tree(), detector.compile().explain())
