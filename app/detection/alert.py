"""From a match to an alert that a person can act on: in words, with evidence, naming blind readers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import detectors
from app.detection.absence import absences, absent_times, watched_since
from app.place.scenario import Scenario
from app.store import Absence, Alert, Clause, Evidence, Seen, Silence, is_proven, tie
from detectors.detector import Detector, window_ms
from detectors.explanation import each
from detectors.parameters import rounded_duration, spell_duration
from sase.language.names import named
from sase.language.tree import Condition, QueryTree
from sase.language.walk import conjuncts, happening, leaves, mentions, steps
from sase.language.write import write_condition, write_pattern

# Attributes that name an area of the plan, or a patient.
_CALLED = ("area", "home", "loc_id", "prescribed_to")
# What the pipeline adds to an event for itself.
_OWN = ("event", "ts", "_id", "event_id")


@dataclass(frozen=True)
class ReportedMatch:
    """A match as the pipeline reports it; `events` are the positive ones by variable."""

    query: str
    id: str
    detected_at: int
    start: int
    end: int
    probability: float | None
    events: dict[str, Any]


def found(row: Mapping[str, Any]) -> ReportedMatch:
    """A row of the matcher's result."""
    events, likely = json.loads(row["events"]), row["probability"]
    return ReportedMatch(row["query"], row["id"], row["ts"], row["start"], row["end"], likely, events)


def alerts(
    matches: Iterable[ReportedMatch],
    scenario: Scenario,
    parameters: Mapping[str, Mapping[str, Any]],
    silences: Sequence[Silence],
) -> Iterator[Alert]:
    """The alerts of the detectors' matches; those of composite events and of drafts are none."""
    known = detectors.load()
    for match in matches:
        if match.query in known:
            chosen = parameters.get(match.query, {})
            yield alert(match, known[match.query], chosen, scenario, silences)


def alert(
    match: ReportedMatch,
    detector: Detector,
    parameters: Mapping[str, Any],
    scenario: Scenario,
    silences: Sequence[Silence],
) -> Alert:
    """The alert of a match. The same match gives the same id, in every replay and restart."""
    query, values = detector.tree(), detector.still_valid(parameters)
    match = _of_patients(match, scenario.items)
    absent = absences(
        absent_times(query, values, match.events), detector, scenario.plan, silences, match.events
    )
    seen = tuple(_seen(match.events))
    return Alert(
        id=match.id,
        scenario=scenario.name,
        detector=detector.name,
        version=detector.version,
        severity=detector.severity,
        title=detector.title,
        subject=detector.subject_of(match),
        area=next((event.area for event in reversed(seen) if event.area), ""),
        started_ms=match.start,
        occurred_ms=match.end,
        detected_ms=match.detected_at,
        explanation=detector.explain(
            _told(match, scenario),
            parameters,
            scenario.timezone,
            _watched(match, absent, silences),
            is_proven(absent),
        ),
        advice=detector.advice,
        evidence=Evidence(detector.query, values, seen, absent, tuple(_clauses(query, values, absent))),
        ties=tuple(tie(scenario.name, shared, within) for shared, within in detector.shared(match)),
        unproven=not is_proven(absent),
        probability=match.probability,
    )


def _watched(match: ReportedMatch, absent: Sequence[Absence], silences: Sequence[Silence]) -> dict[str, str]:
    """For absences that began before Vigil did: since when it was looking, in words."""
    began = {one.variable: watched_since(one, silences) for one in absent}
    return {
        name: f"since Vigil began to watch {rounded_duration(match.detected_at - since)} ago"
        for name, since in began.items()
        if since is not None
    }


def _of_patients(match: ReportedMatch, items: pa.Table) -> ReportedMatch:
    """What a bottle is about is its patient: by that name it is known where it has none of its own."""
    names = _patients(items)

    def of_patient(event: dict[str, Any]) -> dict[str, Any]:
        patient = event.get("patient")
        return event if event.get("name") or not patient else event | {"name": names.get(patient, patient)}

    return _each_event(match, of_patient)


def _told(match: ReportedMatch, scenario: Scenario) -> ReportedMatch:
    """The match with its areas, and whom a bottle is for, as the people who work there call them."""
    called = {area.name: area.title for area in scenario.plan.areas}
    if any("prescribed_to" in event for bound in match.events.values() for event in each(bound)):
        called |= _patients(scenario.items)

    def titled(event: dict[str, Any]) -> dict[str, Any]:
        return event | {name: called.get(event[name], event[name]) for name in _CALLED if name in event}

    return _each_event(match, titled)


def _patients(items: pa.Table) -> dict[str, str]:
    if not {"kind", "patient", "name"}.issubset(items.column_names):
        return {}
    rows = items.select(["kind", "patient", "name"]).filter(pc.equal(items["kind"], "patient")).to_pylist()
    return {row["patient"]: row["name"] for row in rows if row["name"]}


def _each_event(match: ReportedMatch, changed: Callable[[dict[str, Any]], dict[str, Any]]) -> ReportedMatch:
    events = {
        variable: [changed(event) for event in bound] if isinstance(bound, list) else changed(bound)
        for variable, bound in match.events.items()
    }
    return replace(match, events=events)


def _seen(events: Mapping[str, Any]) -> Iterator[Seen]:
    """The component events in the order in which they happened."""
    pairs = [(variable, event) for variable, bound in events.items() for event in each(bound)]
    for variable, event in sorted(pairs, key=lambda pair: pair[1]["ts"]):
        attributes = {name: value for name, value in event.items() if name not in _OWN}
        area = str(event.get("area") or event.get("loc_id") or "")
        reader = str(event.get("reader") or "")
        yield Seen(variable, event["event"], event["ts"], area, reader, attributes)


def _clauses(query: QueryTree, values: Mapping[str, Any], absent: Sequence[Absence]) -> Iterator[Clause]:
    """The query's parts one by one; an absence holds only as far as somebody was looking."""
    proven = {absence.variable: is_proven([absence]) for absence in absent}
    for part in steps(named(query.pattern)):
        names = tuple(dict.fromkeys(leaf.var for leaf in leaves(part) if leaf.var))
        yield Clause(write_pattern(part), all(proven.get(name, True) for name in names), names)
    happens = happening(named(query.pattern))
    seen = tuple(dict.fromkeys(leaf.var or "" for leaf in happens))
    for condition in conjuncts(query.condition):
        yield Clause(write_condition(condition), True, _mentioned(condition, seen))
    if length := window_ms(query, values):
        yield Clause(f"WITHIN {spell_duration(length)}", True, seen)


def _mentioned(condition: Condition, seen: Sequence[str]) -> tuple[str, ...]:
    """The components that the condition speaks of; an equivalence test speaks of all."""
    named_in = {mention.var for mention in mentions(condition)}
    return tuple(name for name in seen if name in named_in) or tuple(seen)
