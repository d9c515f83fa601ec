"""Broken constraints become alerts, unless a detector that is on tells them in its own words."""

from __future__ import annotations

import json
from typing import Any

from app.detection.breaches import breach_alerts
from app.place import scenario
from app.place.find import find_scenario
from app.place.scenario import Scenario

WARD = scenario.load(find_scenario("ward"))


def row(constraint: str, event: str, **attributes: Any) -> dict[str, Any]:
    told = {"kind": "violation", "id": "b1", "event": event, "ts": 1_772_438_400_000, "reason": constraint}
    case = json.dumps({"case": [attributes["id"]]})
    return told | {"attributes": json.dumps(attributes), "events": case}


def test_a_breach_is_told_in_words() -> None:
    bottle = row("exclusive(DOSE-DUE, BED-READING)", "BED-READING", id="PARACETAMOL-1", area="bed-3")
    [alert] = breach_alerts([bottle], WARD, ["overdose"])
    assert (alert.detector, alert.subject, alert.area) == ("impossible", "PARACETAMOL-1", "bed-3")
    assert alert.explanation == (
        "PARACETAMOL-1 was seen in Bed 3 at 09:00:00 (BED-READING), which cannot be: it was declared that "
        "DOSE-DUE and BED-READING never happen to the same thing."
    )
    assert [seen.event for seen in alert.evidence.events] == ["BED-READING"]


def test_what_has_a_name_is_called_by_it_and_a_clause_by_its_text() -> None:
    found = row(
        "DOSE-DUE AND BED-LEFT => NOT BED-READING", "BED-READING", id="B1", name="Bottle", area="bed-3"
    )
    [alert] = breach_alerts([found], WARD, [])
    assert alert.explanation.startswith("Bottle (B1) was seen in Bed 3")
    assert alert.explanation.endswith("it was declared that DOSE-DUE AND BED-LEFT => NOT BED-READING.")


def test_what_a_detector_tells_itself_is_left_to_it(shop: Scenario) -> None:
    back = row("prior(SHELF-READING, DEPARTED)", "SHELF-READING", id="JEAN-1", area="denim")
    assert list(breach_alerts([back], shop, ["impossible"])) == []
    [alert] = breach_alerts([back], shop, ["shoplifting"])
    assert "no SHELF-READING comes after DEPARTED" in alert.explanation
