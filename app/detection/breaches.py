"""From a broken constraint to a detector's match, or to an alert in the words of what was declared."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from zoneinfo import ZoneInfo

import detectors
from app.detection.alert import ReportedMatch, found
from app.place.scenario import Scenario
from app.store import Alert, Clause, Evidence, Seen
from detectors.detector import Detector
from sase.constraints.parse import parse_constraints
from sase.language.names import named
from sase.language.walk import happening

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


def reported(rows: Iterable[Mapping[str, Any]]) -> Iterator[ReportedMatch]:
    """The matches among the rows of a result, and the breaches that a detector is there to tell."""
    known = detectors.load()
    for row in rows:
        if row["kind"] == "match":
            yield found(row)
        elif is_told(row, known) and (about := json.loads(row["events"]))["first"]:
            yield _broken(row, about, known[row["query"]])


def is_told(row: Mapping[str, Any], known: Mapping[str, Detector]) -> bool:
    """Whether a breach is one of a detector's own."""
    return row["kind"] == "violation" and row["query"] in known


def _broken(row: Mapping[str, Any], about: Mapping[str, Any], detector: Detector) -> ReportedMatch:
    """The match of the detector's query that a breach of `prior(A, B)` is: its A with all that came in, and
    its B as far as the case remembers it."""
    (group,) = parse_constraints(detector.breaks or "").groups
    (late, early) = next(one.types for one in group.constraints if str(one) == row["reason"])
    names = {
        kind: leaf.var or "" for leaf in happening(named(detector.tree().pattern)) for kind in leaf.types
    }
    case = dict(zip(group.by, about["case"], strict=True))
    events = {
        names[early]: {"event": early, "ts": about["since"], **case},
        names[late]: {"event": row["event"], "ts": row["ts"], **json.loads(row["attributes"])},
    }
    return ReportedMatch(row["query"], row["id"], row["ts"], about["since"], row["ts"], None, events)


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
