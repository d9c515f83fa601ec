"""The rows that the stateful operator gives back to Spark: matches, late and bad rows, time and metrics."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

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
from sase.plan.window import FOREVER
from sase.results.json_text import json_text
from sase.spark.input.columns import EVENT, POSITION
from sase.spark.output.fitting import fitted

if TYPE_CHECKING:  # it knows the operators, which few processes of Spark need
    from sase.operators.watch import Violation

FIGURES = (
    *("kept", "late", "bad", "misfit", "matches", "live", "bytes", "waiting", "partial"),
    *("replayed", "replay_ms", "cut", "incomparable", "unlikely", "aside", "violations", "pruned"),
)
OF_QUERY = (
    *("matches", "partial", "held", "cut", "incomparable", "unlikely", "pruned"),
    *("early", "cases", "broken"),
)
_FIGURES = tuple(dict.fromkeys([*FIGURES, *OF_QUERY]))

SCHEMA = StructType(
    [
        StructField("kind", StringType(), False),
        StructField("clock", TimestampType(), False),  # always after the watermark, as Spark demands
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
        StructField("figures", StructType([StructField(name, LongType()) for name in _FIGURES])),
    ]
)
COMPOSITE = "composite"  # what the next levels read of a match, with its types
_NO_COLUMNS = StructType()
_EMPTY: dict[str, Any] = dict.fromkeys(SCHEMA.names)
_OWN = (*EVENT, POSITION)
_OURS = ("._id", "._seq", f".{POSITION}")


def row(kind: str, **values: Any) -> dict[str, Any]:
    return {**_EMPTY, "kind": kind, **values}


def metric(figures: Mapping[str, int], query: str | None = None) -> dict[str, Any]:
    """What the operator says about itself, or about one of its queries."""
    return row("metric", query=query, figures={**dict.fromkeys(_FIGURES), **figures})


def schema(shape: StructType) -> StructType:
    """The columns of a level whose composite events have these."""
    return StructType([*SCHEMA, StructField(COMPOSITE, shape)]) if len(shape) else SCHEMA


def finished(rows: Iterable[dict[str, Any]], clock: Any, shape: StructType) -> Iterator[Row]:
    """Rows as Spark takes them."""
    named = Row(*schema(shape).names)
    for each in rows:
        each["clock"] = clock
        yield named(*(each.get(name) for name in named))


class MatchWriter:
    """Writes the matches of one step; an event that takes part in several is written once."""

    def __init__(self, nested: frozenset[str], shape: StructType = _NO_COLUMNS) -> None:
        """`shape` are the columns that later levels read."""
        self._nested, self._shape = nested, shape
        self._texts: dict[int, tuple[str, str]] = {}
        self._again: Counter[str] = Counter()

    def matched(self, query: str, found: sase.Match) -> dict[str, Any]:
        """The row of a match; its id is a hash of the query's name and the ids of its events."""
        names, texts = query, []
        for name, bound in found.events.items():
            if isinstance(bound, list):
                ids, shown = zip(*map(self._event, bound), strict=True)
                names += f"\0{name}=[{', '.join(ids)}]"
                texts.append(f'"{name}": [{", ".join(shown)}]')
            else:
                id_, text = self._event(bound)
                names += f"\0{name}=[{id_}]"
                texts.append(f'"{name}": {text}')
        if found.composite.recurs:
            names += self._moment(names, found.detected_at)
        returned = _returned(found.attributes, self._nested)
        composite = fitted(returned, self._shape) if len(self._shape) else None
        return _EMPTY | {
            "kind": "match",
            "query": query,
            "event": found.composite.name,
            "id": hashlib.blake2b(names.encode(), digest_size=16).hexdigest(),
            "ts": found.detected_at,
            "start": found.start,
            "end": found.end,
            "probability": found.probability,
            "attributes": json_text(returned),
            "events": f"{{{', '.join(texts)}}}",
            COMPOSITE: composite,
        }

    def _moment(self, names: str, at: int) -> str:
        """Tells matches of the same events apart; those of one time come in one step, in the same order."""
        key = f"{names}\0@{at}"
        self._again[key] += 1
        return f"\0@{at} {self._again[key]}"

    def _event(self, event: dict[str, Any]) -> tuple[str, str]:
        """An event's id and the event itself, as text."""
        known = self._texts.get(event[POSITION])
        if known is None:
            known = repr(event["_id"]), json_text(_shown(event, self._nested))
            self._texts[event[POSITION]] = known
        return known


def singly(found: sase.Matches) -> Iterator[sase.Match]:
    """Match by match, also what OUTPUT COMPRESSED holds together."""
    for each in found:
        if isinstance(each, sase.Match):
            yield each
        else:
            yield from each.enumerate()


def late(events: pa.Table, nested: frozenset[str]) -> Iterator[dict[str, Any]]:
    """The rows of events whose time had passed."""
    for event in events.to_pylist():
        yield row("late", **_event(event, nested))


def misfit(event: Mapping[str, Any], nested: frozenset[str], reason: str) -> dict[str, Any]:
    """The row of an event whose values are not what a query takes them for."""
    return row("bad", **_event(event, nested), reason=reason)


def raised(query: str, key: int, now: int | None, reason: str) -> dict[str, Any]:
    """The row of a query that a bucket has put aside."""
    told = f"the query {query} is put aside until it is changed, for it raised {reason}"
    id_ = hashlib.blake2b(f"{query}\0{key}\0{now}".encode(), digest_size=16).hexdigest()
    return row("bad", query=query, id=id_, ts=None if now == FOREVER else now, reason=told)


def violation(query: str, found: Violation, nested: frozenset[str]) -> dict[str, Any]:
    """The row of an event that has broken a constraint; one for each of several. Beside the case it tells
    when its event before came, and whether it had broken nothing yet."""
    case, constraint, event = found
    own = _event(event, nested)
    id_ = hashlib.blake2b(f"{constraint}\0{own['id']}".encode(), digest_size=16).hexdigest()
    about = {"case": list(case), "since": found.since, "first": found.first}
    return row("violation", query=query, **own | {"id": id_}, events=json_text(about), reason=constraint)


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


def _event(event: Mapping[str, Any], nested: frozenset[str]) -> dict[str, Any]:
    attributes = {name: _value(name, value, nested) for name, value in event.items() if name not in _OWN}
    own = {"event": event["event"], "id": str(event["_id"]), "ts": event["ts"]}
    return own | {"attributes": json_text(_present(attributes))}


def _shown(event: dict[str, Any], nested: frozenset[str]) -> dict[str, Any]:
    attributes = {name: _value(name, value, nested) for name, value in event.items() if name not in _OWN}
    return {"event": event["event"], "ts": event["ts"], "_id": str(event["_id"])} | attributes


def _returned(attributes: Mapping[str, Any], nested: frozenset[str]) -> dict[str, Any]:
    """Without RETURN every column of an event comes back, ours too."""
    kept = {name: value for name, value in attributes.items() if not name.endswith(_OURS)}
    if not nested:
        return kept
    return {name: _value(name.rpartition(".")[2], value, nested) for name, value in kept.items()}


def _present(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}


def _value(name: str, value: Any, nested: frozenset[str]) -> Any:
    """Columns of nested types travel as JSON text."""
    if name not in nested or value is None:
        return value
    if isinstance(value, list):
        return [_value(name, each, nested) for each in value]
    return json.loads(value, parse_float=Decimal)
