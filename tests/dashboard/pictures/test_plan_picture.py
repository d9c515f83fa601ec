"""The picture of a plan: every component in order, the absent ones dashed, the repeated ones with a loop."""

from __future__ import annotations

import pytest

import detectors
import sase
from dashboard.pictures import plan_picture

KNOWN = detectors.load()


@pytest.mark.parametrize("name", KNOWN)
def test_every_detector_has_a_picture(name: str) -> None:
    detector = KNOWN[name]
    drawn = plan_picture.dot(detector.tree(), detector.compile().explain())
    assert drawn.startswith("digraph plan {")
    assert [kind for kind in detector.reads() if kind not in drawn] == []


def test_the_absent_payment_of_shoplifting_is_dashed_between_shelf_and_exit() -> None:
    detector = KNOWN["shoplifting"]
    lines = plan_picture.dot(detector.tree(), detector.compile().explain()).splitlines()
    assert 'c2 [label="no COUNTER-READING y", style="rounded,dashed"' in lines[3]
    assert lines[5:8] == ["c0 -> c1;", "c1 -> c2;", "c2 -> c3;"]


def test_the_doses_of_an_overdose_repeat() -> None:
    detector = KNOWN["overdose"]
    assert "c0 -> c0;" in plan_picture.dot(detector.tree(), detector.compile().explain())


def test_operators_are_drawn_as_a_tree_with_what_each_keeps_and_what_wakes_it() -> None:
    query = sase.compile("EVENT FOLLOWS(A x, NOTFOLLOWS(B y, C z, 2 sec), 3 sec)")
    lines = plan_picture.dot(query.tree, plan_picture.spelled(query.explain())).splitlines()
    assert {*lines} >= {"c1 -> c0;", "c2 -> c0;", "c3 -> c2;", "c4 -> c2;"}
    assert "FOLLOWS 3 seconds\\nwoken by NOTFOLLOWS(y, z);\\nkeeps x for 3 seconds" in lines[1]
    assert 'c4 [label="no z\\nC", style="rounded,dashed"' in "\n".join(lines)


def test_durations_are_said_as_people_say_them() -> None:
    explained = plan_picture.spelled(KNOWN["shoplifting"].compile().explain())
    assert "WITHIN 12 hours" in explained
    assert "Window        12 hours, pruned during scan and construction" in explained
    assert " ms" not in explained


def test_the_parts_are_told_in_their_order() -> None:
    names = [name for name, _ in plan_picture.parts(KNOWN["misplaced"].compile().explain())]
    assert names[:3] == ["Scan", "Partitions", "Window"]
    assert names[-1] == "Output"
