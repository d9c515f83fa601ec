"""The rows that the stateful operator gives back to Spark: matches, late and bad rows, time and metrics."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa
from pyspark.sql import Row
from pyspark.sql.types import (
    DoubleType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

import sase
from sase.spark.gather import gathered

FIGURES = ("kept", "late", "bad", "matches", "live", "bytes", "waiting", "partial", "replayed", "replay_ms")

SCHEMA = StructType(
    [
        StructField("kind", StringType(), False),
        StructField("clock", TimestampType(), False),  # never before the watermark, as Spark demands
        StructField("query", StringType()),
        StructField("event", StringType()),
        StructField("id", StringType()),
        StructField("ts", LongType()),
        StructField("start", LongType()),
        StructField("end", LongType()),
        StructField("probability", DoubleType()),
        StructField("attributes", StringType()),
        StructField("events", StringType()),
        StructField("reason", StringType()),
        *(StructField(name, LongType()) for name in FIGURES),
    ]
)
_EMPTY: dict[str, Any] = dict.fromkeys(SCHEMA.names)
_ROW = Row(*SCHEMA.names)
_OWN = ("event", "ts", "_id", "_seq", "_position")  # what every event carries besides its attributes


def row(kind: str, **values: Any) -> dict[str, Any]:
    return {**_EMPTY, "kind": kind, **values}


def finished(rows: Iterable[dict[str, Any]], clock: Any) -> Iterator[Row]:
    """Rows as Spark takes them."""
    return (_ROW(*{**each, "clock": clock}.values()) for each in rows)


class Writer:
    """Writes the matches of one step; an event that takes part in several is written once."""

    def __init__(self, nested: frozenset[str]) -> None:
        self._nested = nested
        self._texts: dict[int, str] = {}

    def matched(self, query: str, found: sase.Match) -> dict[str, Any]:
        """The row of a match."""
        bound = (f"{json.dumps(name)}: {self._bound(events)}" for name, events in found.events.items())
        return row(
            "match",
            query=query,
            event=found.layout.name,
            id=match_id(query, found.events),
            ts=found.detected_at,
            start=found.start,
            end=found.end,
            probability=found.probability,
            attributes=json.dumps(_returned(found.attributes, self._nested)),
            events=f"{{{', '.join(bound)}}}",
        )

    def _bound(self, events: Any) -> str:
        return f"[{', '.join(map(self._event, events))}]" if isinstance(events, list) else self._event(events)

    def _event(self, event: dict[str, Any]) -> str:
        text = self._texts.get(event["_position"])
        if text is None:
            text = self._texts[event["_position"]] = json.dumps(_shown(event, self._nested))
        return text


def passed(text: str) -> dict[str, Any]:
    """A row that an earlier level has put out."""
    return {**_EMPTY, **json.loads(text)}


def singly(found: sase.Matches) -> Iterator[sase.Match]:
    """Match by match, also what OUTPUT COMPRESSED holds together."""
    for each in gathered(found) if isinstance(found, sase.Matches) else found:
        if isinstance(each, sase.Match):
            yield each
        else:
            yield from each.enumerate()


def late(events: pa.Table, nested: frozenset[str]) -> Iterator[dict[str, Any]]:
    """The rows of events whose time had passed."""
    for event in events.to_pylist():
        attributes = {name: _value(name, value, nested) for name, value in event.items() if name not in _OWN}
        yield row(
            "late",
            event=event["event"],
            id=str(event["_id"]),
            ts=event["ts"],
            attributes=json.dumps(_present(attributes)),
        )


def bad(notice: Mapping[str, Any], reason: str) -> dict[str, Any]:
    """The row of what is no event."""
    return row(
        "bad",
        event=notice["event"],
        id=str(notice["_id"]),
        ts=notice["ts"],
        attributes=notice["_row"],
        reason=reason,
    )


def match_id(query: str, events: Mapping[str, Any]) -> str:
    """A hash of the query's name and the ids of its events: every replay gives the same."""
    digest = hashlib.blake2b(query.encode(), digest_size=16)
    for name, bound in events.items():
        ids = [event["_id"] for event in (bound if isinstance(bound, list) else [bound])]
        digest.update(f"\0{name}={ids}".encode())
    return digest.hexdigest()


def _shown(event: dict[str, Any], nested: frozenset[str]) -> dict[str, Any]:
    attributes = {name: _value(name, value, nested) for name, value in event.items() if name not in _OWN}
    return {"event": event["event"], "ts": event["ts"], "_id": str(event["_id"])} | _present(attributes)


def _returned(attributes: Mapping[str, Any], nested: frozenset[str]) -> dict[str, Any]:
    """Without RETURN every column of an event comes back, ours too."""
    ours = tuple(f".{name}" for name in ("_id", "_seq", "_position"))
    return {
        name: _value(name.rpartition(".")[2], value, nested)
        for name, value in attributes.items()
        if not name.endswith(ours)
    }


def _present(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}


def _value(name: str, value: Any, nested: frozenset[str]) -> Any:
    """Columns of nested types travel as JSON text."""
    if name not in nested or value is None:
        return value
    return [_value(name, each, nested) for each in value] if isinstance(value, list) else json.loads(value)
