"""A place's detectors without Spark: the product's queries, levels and alerts, matched in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import sase
from app.cleaning.stream import LATE
from app.detection.alert import ReportedMatch, alerts
from app.detection.breaches import reported
from app.detection.queries import defaults, rules
from app.place.event_types import cleaned_types
from app.place.scenario import Scenario
from app.store import Alert
from sase.spark.levels import in_layers
from sase.spark.output.rows import MatchWriter, singly, violation

_NOTHING_NESTED: frozenset[str] = frozenset()


class InProcess:
    """Takes the batches of a `CleanedStream` in order; `parameters` are those of the detectors that are on,
    else the scenario's own."""

    def __init__(self, scenario: Scenario, parameters: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        self._scenario = scenario
        standing = {one.detector: one.parameters for one in defaults(scenario) if one.enabled}
        self._parameters = standing if parameters is None else parameters
        queries = {name: rule.compiled(name) for name, rule in rules(scenario, self._parameters).items()}
        self._layers = [
            [_Matching(name, query) for name, query in layer.items()] for layer in in_layers(queries)
        ]
        self._types = pa.array(sorted(cleaned_types(scenario.plan)))
        self._composites = count(-1, -1)  # numbers that no cleaned event has
        self.late = 0

    def push(self, stream: pa.RecordBatch) -> list[Alert]:
        """What these events raise, and the time that has come with them: the last row is a heartbeat."""
        return list(alerts(self.matches(stream), self._scenario, self._parameters, []))

    def matches(self, stream: pa.RecordBatch) -> list[ReportedMatch]:
        """The same as the matcher reports it, those of composite events too."""
        now = int(stream["ts"][-1].as_py())
        self.late += int(pc.sum(pc.equal(stream["event"], LATE)).as_py() or 0)
        events = _named(stream.filter(pc.is_in(stream["event"], self._types)))
        told: list[dict[str, Any]] = []
        made: list[dict[str, Any]] = []
        for layer in self._layers:
            rows = [row for matching in layer for row in matching.push(events, made, now)]
            told += [row for row, _ in rows]
            told += [row for matching in layer for row in matching.broken()]
            made = [*made, *(self._event(*each) for each in rows)]
        return list(reported(told))

    def _event(self, row: dict[str, Any], match: sase.Match) -> dict[str, Any]:
        """A match as the event that the next layer reads."""
        return {**match.event, "_id": row["id"], "_position": next(self._composites)}


class _Matching:
    """A query at work."""

    def __init__(self, name: str, query: sase.Query) -> None:
        self._name, self._types, self._matcher = name, query.types, query.matcher()

    def push(
        self, events: pa.RecordBatch, made: list[dict[str, Any]], now: int
    ) -> Iterator[tuple[dict[str, Any], sase.Match]]:
        """Each match as the row that Spark would give, and itself."""
        yield from self._written(self._matcher.push(self._offered(events, made)))
        yield from self._written(self._matcher.advance(now))

    def broken(self) -> list[dict[str, Any]]:
        """What the last events have broken, as rows."""
        return [violation(self._name, one, _NOTHING_NESTED) for one in self._matcher.take_violations()]

    def _written(self, matches: sase.Matches) -> Iterator[tuple[dict[str, Any], sase.Match]]:
        writer = MatchWriter(_NOTHING_NESTED)  # it remembers the text of every event that it has written
        return ((writer.matched(self._name, one), one) for one in singly(matches))

    def _offered(self, events: pa.RecordBatch, made: list[dict[str, Any]]) -> Any:
        """What the query reads; at one moment events come before composite events."""
        wanted = events.filter(pc.is_in(events["event"], pa.array(sorted(self._types))))
        composed = [event for event in made if event["event"] in self._types]
        return sorted([*wanted.to_pylist(), *composed], key=_time) if composed else wanted


def _named(events: pa.RecordBatch) -> pa.RecordBatch:
    """With the names that the matcher's host gives to an event's id and number."""
    own = {"event_id": "_id", "seq": "_position"}
    return events.drop_columns(["control"]).rename_columns(
        [own.get(name, name) for name in events.schema.names if name != "control"]
    )


def _time(event: dict[str, Any]) -> int:
    return int(event["ts"])
