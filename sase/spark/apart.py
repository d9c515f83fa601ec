"""Streams that never meet: each with queries, columns and a clock of its own, stepped where its state is.

`match` works on one stream, and one clock. A host of many keeps them apart by a key of Spark's, and steps
each one here, all its levels at once, with the state of that key. Time passes in a stream as its own rows
say: one that falls silent holds up nobody, and what it waits for waits for it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_type
from pyspark.sql.types import StructType

from sase.language.duration import milliseconds
from sase.results.json_text import json_text
from sase.spark.bucket.incoming import Incoming
from sase.spark.bucket.level import Level
from sase.spark.bucket.shared_state import LevelState, SharedState
from sase.spark.bucket.state import Head
from sase.spark.bucket.step import BucketStep
from sase.spark.control import Rule
from sase.spark.input.columns import CONTROL, REASON, ROW
from sase.spark.input.prepare import ColumnNames
from sase.spark.levels import MatchSettings, bare_levels, in_layers
from sase.spark.match import bounded
from sase.spark.output.composite import distinct, fields
from sase.spark.output.rows import COMPOSITE

_BETWEEN_LEVELS = ("time", "control")
UNKNOWN_TYPE, UNLIKELY = "unknown type", "prob is not in (0, 1]"


@dataclass(frozen=True)
class Stepped:
    """What comes out of a step, the heads of all levels after it, and when time alone may bring something."""

    rows: list[dict[str, Any]]
    heads: list[Head]
    deadline: int | None


class StreamPlan:
    """How one stream is matched. Its columns are plain: texts, numbers, true and false."""

    def __init__(
        self,
        rules: Mapping[str, Rule],
        schema: pa.Schema,
        names: ColumnNames,
        types: frozenset[str],
        *,
        history: str = "0 seconds",
        constraints: str | None = None,
    ) -> None:
        self._names, self._types = names, types
        self._known = pa.array(sorted({*types, names.heartbeat}))
        rules = bounded(rules, None, constraints, changeable=True)
        settings = MatchSettings(
            names, types, 0, milliseconds(history) or 0, None, None, 1, together=True, deadlines=True
        )
        spark = from_arrow_schema(schema)
        layers = in_layers({name: rule.compiled(name) for name, rule in rules.items()})
        kept = set(names.attributes(spark))
        self._attributes = [field.name for field in spark if field.name in kept]
        shape, attributes = StructType(), StructType([field for field in spark if field.name in kept])
        self._levels: list[Level] = []
        self._made: list[pa.Schema] = []  # the composite events that a level reads, as a table
        for level, layer in zip(
            bare_levels(spark, rules, layers, settings, streaming=True), layers, strict=True
        ):
            self._made.append(_columns(attributes))
            own = [fields(query, attributes) for query in layer.values()]
            last = level.number == level.levels
            shape = StructType() if last else distinct(chain(shape, *own))
            reads = level.number == 1 or any(query.types - level.made.keys() for query in layer.values())
            self._levels.append(replace(level, shape=shape, reads_events=reads))
            attributes = distinct([*attributes, *shape])
        beside = [name for level in self._levels for name, rule in level.rules.items() if rule.constraints]
        self.constrained = frozenset(beside)  # the queries of whose constraints figures tell

    def step(self, state: SharedState, heads: Sequence[Head], batch: pa.RecordBatch) -> Stepped:
        """Everything that these rows bring about, and the time that they tell."""
        incoming = self._taken(batch)
        events, out, after, deadline = incoming.tables, list[dict[str, Any]](), list[Head](), list[int]()
        for number, level in enumerate(self._levels):
            head = heads[number] if number < len(heads) else None
            step = BucketStep(level, level.first, level.lanes[0], head, LevelState(state, number + 1), 0)
            rows = step.run(incoming)
            after.append(step.head)
            deadline += [row["ts"] for row in rows if row["kind"] == "deadline"]
            out += [row for row in rows if row["kind"] not in (*_BETWEEN_LEVELS, "deadline")]
            if number + 1 < len(self._levels):
                incoming = self._next(self._levels[number + 1], out, rows, events)
        for number, stale in enumerate(heads[len(after) :], len(after) + 1):  # of levels that are no more
            LevelState(state, number).drop(_blobs(stale))
        return Stepped(out, after, min(deadline, default=None))

    def _taken(self, batch: pa.RecordBatch) -> Incoming:
        """Events, control rows and what is no event; all but these two move the clock."""
        names = self._names
        control = pc.is_valid(batch[names.control]) if names.control else pa.repeat(False, batch.num_rows)
        strange = pc.and_not(pc.invert(pc.is_in(batch[names.event], self._known)), control)
        aside = pc.or_(pc.or_(control, strange), pc.and_not(_unlikely(batch), control))
        timed = batch.filter(pc.invert(aside))
        events = timed.filter(pc.not_equal(timed[names.event], names.heartbeat))
        said = [self._said(row) for row in batch.filter(aside).to_pylist()]
        top: int | None = pc.max(timed[names.ts]).as_py()
        return Incoming(_some(self._events(events)), said, [], top, events.num_rows)

    def _said(self, row: Mapping[str, Any]) -> dict[str, Any]:
        names = self._names
        text = row[names.control] if names.control else None
        whole = json_text({name: row[name] for name in self._attributes if row[name] is not None})
        id_ = row[names.id] if names.id else None
        named = id_ or hashlib.blake2b(f"{row[names.event]}@{row[names.ts]}{whole}".encode()).hexdigest()[:32]
        known = row[names.event] in self._types or row[names.event] == names.heartbeat
        reason = None if text is not None else UNLIKELY if known else UNKNOWN_TYPE
        own = {"ts": row[names.ts], "event": row[names.event], "_id": named}
        return own | {CONTROL: text, REASON: reason, ROW: whole}

    def _events(self, events: pa.RecordBatch) -> pa.Table:
        names = self._names
        own = {"event": events[names.event].dictionary_encode(), "ts": events[names.ts]}
        own |= {"_id": events[names.id]} if names.id else {}
        own |= {"_seq": pc.fill_null(events[names.seq], 0)} if names.seq else {}
        return pa.table(own | {name: events[name] for name in self._attributes})

    def _next(
        self, level: Level, found: list[dict[str, Any]], rows: list[dict[str, Any]], events: list[pa.Table]
    ) -> Incoming:
        """What the next level is given: at one moment events come before the matches of all levels so far."""
        schema = self._made[level.number - 1]
        made = [_composite(row, schema) for row in found if row["kind"] == "match"]
        table = pa.Table.from_pylist(made, schema=schema)
        table = table.set_column(0, "event", table["event"].dictionary_encode())
        said = [
            {"ts": row["ts"], "event": None, "_id": None, CONTROL: row["reason"], REASON: None, ROW: None}
            for row in rows
            if row["kind"] == "control"
        ]
        top = max((row["ts"] for row in rows if row["kind"] == "time"), default=None)
        tables = [*events, table] if level.reads_events else [table]
        given = _some(pa.concat_tables(tables, promote_options="permissive"))
        return Incoming(given, said, [], top, 0)


def _some(table: pa.Table) -> list[pa.Table]:
    return [table] if table.num_rows else []


def _unlikely(batch: pa.RecordBatch) -> pa.Array:
    """The rows whose probability is none."""
    if "prob" not in batch.schema.names:
        return pa.repeat(False, batch.num_rows)
    likely = pc.and_(pc.greater(batch["prob"], 0.0), pc.less_equal(batch["prob"], 1.0))
    return pc.invert(pc.fill_null(likely, True))


def _composite(row: Mapping[str, Any], schema: pa.Schema) -> dict[str, Any]:
    likely = row["probability"]
    own = {"event": row["event"], "ts": row["ts"], "_id": row["id"]}
    found = {name: (row.get(COMPOSITE) or {}).get(name) for name in schema.names if name not in own}
    doubted = likely if likely is not None and likely < 1 else None
    return found | ({"prob": doubted} if "prob" in schema.names else {}) | own


def _columns(attributes: StructType) -> pa.Schema:
    own = [("event", pa.string()), ("ts", pa.int64()), ("_id", pa.string())]
    return pa.schema([*own, *((field.name, to_arrow_type(field.dataType)) for field in attributes)])


def _blobs(head: Head) -> Iterator[int]:
    yield from (blob.number for blob in head.past)
    yield from (blob.number for blob in head.waiting)
    yield from head.snapshots.values()
