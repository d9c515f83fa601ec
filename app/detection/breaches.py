"""From a broken constraint to an alert: which case, which event, and what was declared never to happen."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from zoneinfo import ZoneInfo

import detectors
from app.place.scenario import Scenario
from app.store import Alert, Clause, Evidence, Seen
from detectors.detector import Detector
from sase.constraints.parse import parse_constraints

TELLS = "impossible"  # the detector under whose name breaches are told
_WORDS = {
    "prior": "no {0} comes after {1}",
    "exclusive": "{0} and {1} never happen to the same thing",
    "require": "where there is {0} there is {1}",
}


def breach_alerts(
    rows: Iterable[Mapping[str, Any]], scenario: Scenario, switched_on: Iterable[str]
) -> Iterator[Alert]:
    """Of rows of the kind `violation`, but for what a detector that is on tells in its own words."""
    known = detectors.load()
    left_to_others = {one for name in switched_on if name in known for one in _told_by(known[name])}
    for row in rows:
        if row["reason"] not in left_to_others:
            yield _alert(row, known[TELLS], scenario)


def _told_by(detector: Detector) -> Iterator[str]:
    for group in parse_constraints(detector.breaks).groups if detector.breaks else ():
        yield from map(str, group.constraints)


def _alert(row: Mapping[str, Any], detector: Detector, scenario: Scenario) -> Alert:
    attributes, case = json.loads(row["attributes"]), json.loads(row["events"])["case"]
    ts, subject, area = row["ts"], ", ".join(map(str, case)), str(attributes.get("area") or "")
    seen = Seen("x", row["event"], ts, area, str(attributes.get("reader") or ""), attributes)
    return Alert(
        id=row["id"],
        scenario=scenario.name,
        detector=TELLS,
        version=detector.version,
        severity=detector.severity,
        title=detector.title,
        subject=subject,
        area=area,
        started_ms=ts,
        occurred_ms=ts,
        detected_ms=ts,
        explanation=_explanation(row, subject, attributes, scenario),
        advice="Look at it. If nothing is wrong with it, what was declared never to happen is not so.",
        evidence=Evidence(row["reason"], {}, (seen,), (), (Clause(row["reason"], False, ("x",)),)),
    )


def _explanation(
    row: Mapping[str, Any], subject: str, attributes: Mapping[str, Any], scenario: Scenario
) -> str:
    titles = {area.name: area.title for area in scenario.plan.areas}
    moment = datetime.datetime.fromtimestamp(row["ts"] / 1000, ZoneInfo(scenario.timezone))
    what = f"{name} ({subject})" if (name := attributes.get("name")) else subject
    where = f" in {titles.get(area, area)}" if (area := attributes.get("area")) else ""
    return (
        f"{what} was seen{where} at {moment:%H:%M:%S} ({row['event']}), which cannot be: "
        f"it was declared that {_rule(row['reason'])}."
    )


def _rule(constraint: str) -> str:
    form, _, types = constraint.rstrip(")").partition("(")
    return _WORDS[form].format(*types.split(", ")) if form in _WORDS else constraint
