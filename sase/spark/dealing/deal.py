"""Deals what the buckets of a checkpoint hold out anew: other buckets, lanes and levels, the same events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

import sase
from sase.matcher import Snapshot
from sase.spark.blob import decode, encode
from sase.spark.bucket import files, past, snapshot, waiting
from sase.spark.bucket.level import Level
from sase.spark.bucket.past import Reach
from sase.spark.bucket.queries import standing_rules
from sase.spark.bucket.query import begin, reach_of
from sase.spark.bucket.state import Head
from sase.spark.control import Rule, written
from sase.spark.dealing.snapshots import Share, united
from sase.spark.dealing.stored import Checkpoint, StoredBucket
from sase.spark.input.columns import CONTROL, DOT, LANE, NOTICES, POSITION, REASON, carried, column, packed
from sase.spark.input.lanes import Lane, lane_name
from sase.spark.input.spread import laned

_TOLD = 1000  # micro-batches in which buckets that are no more get a row: some may have no rows at all
_BUCKET, _ROW, _WAITS = "_bucket", "_row", "_waits"
_NO_EVENTS = pa.schema({POSITION: pa.int64(), _BUCKET: pa.int64(), _WAITS: pa.bool_()}).empty_table()


@dataclass(slots=True)
class NewBucket:
    """A bucket in the making: what its processor will find instead of its state."""

    head: Head
    blobs: dict[int, bytes] = field(default_factory=dict)

    def write(self, head: Head, table: pa.Table) -> tuple[int, int]:
        return self.write_bytes(head, encode(table))

    def write_bytes(self, head: Head, blob: bytes) -> tuple[int, int]:
        head.numbers += 1
        self.blobs[head.numbers] = blob
        return head.numbers, len(blob)

    def read(self, number: int) -> pa.Table:
        return decode(self.blobs[number])

    def drop(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            del self.blobs[number]


class Dealing:
    """The events of a checkpoint on their way to the buckets of new levels."""

    def __init__(self, spark: SparkSession, stored: Checkpoint, heartbeat: str, *, everything: bool) -> None:
        self._spark, self._stored = spark, stored
        self._heartbeat, self._everything = heartbeat, everything
        self.token = uuid4().hex

    def level(self, level: Level, queries: Sequence[sase.Query], schema: StructType) -> Level:
        """The level with what its buckets begin with on the way to them, and the buckets that are no more."""
        found = self.buckets(level, queries, schema)
        if not found:
            return level
        held = {key: (bucket.head, bucket.blobs) for key, bucket in found.items()}
        files.send(self._spark.sparkContext, self.token, level.number, held)
        retired = tuple(self._stored.heads[level.number - 1].keys() - found.keys())
        until = self._stored.batch + _TOLD
        return replace(level, dealt=self.token, retired=retired, retired_until=until)

    def buckets(
        self, level: Level, queries: Sequence[sase.Query], schema: StructType
    ) -> dict[int, NewBucket]:
        """The buckets of a level by their keys; `schema` is that of the stream that it reads."""
        heads = list(self._stored.heads[level.number - 1].values())
        if not heads:
            return {}
        now = max((head.now for head in heads if head.now is not None), default=None)
        standing = replace(heads[0], now=now)
        events = self._routed(self._pool(level), queries, level, schema)
        found: dict[int, NewBucket] = {}
        for number, lane in enumerate(level.lanes):
            own = _once(events, self._stored.buckets, lane)
            parts = [own.filter(pc.equal(own[LANE.format(number)], at)) for at in range(len(lane.keys))]
            new = [self._bucket(level, lane, part, standing, schema) for part in parts]
            self._snapshots(new, level, lane, schema)
            found |= dict(zip(lane.keys, new, strict=True))
        return found

    # Events

    def _pool(self, level: Level) -> pa.Table:
        """All events that the level may read, as often as buckets hold them, with whose they are."""
        tables = []
        for number, bucket in enumerate(self._stored.buckets):
            held = [(each.number, False) for each in bucket.head.past]
            held += [(each.number, True) for each in bucket.head.waiting]
            for blob, waits in held:
                table = bucket.read(blob)
                if POSITION not in table.column_names:
                    table = table.append_column(POSITION, pa.array(np.full(table.num_rows, -1)))
                tables.append(_tagged(table, {_BUCKET: number, _WAITS: waits}))
        if not tables:
            return _NO_EVENTS
        pool = pa.concat_tables(tables, promote_options="permissive")
        return pool.filter(self._readable(pool, level))

    def _readable(self, pool: pa.Table, level: Level) -> pa.ChunkedArray:
        """Composite events of earlier levels, and plain ones where the level reads them."""
        known = [head.made or {} for heads in self._stored.heads for head in heads.values()]
        made = {name for each in [*known, level.made] for name in each}
        earlier = [name for name, at in level.made.items() if at < level.number]
        composite = pc.is_in(pool["event"], pa.array(sorted(made), pa.string()))
        found = pc.is_in(pool["event"], pa.array(earlier, pa.string()))
        return pc.or_(found, pc.invert(composite)) if level.reads_events else found

    def _routed(
        self, table: pa.Table, queries: Sequence[sase.Query], level: Level, schema: StructType
    ) -> pa.Table:
        """With the bucket of every event in every lane, as rows that come in get it, and in their types."""
        tags = (POSITION, _BUCKET, _WAITS)
        events = self._frame(table, schema, tags)
        found = laned(events, self._heartbeat, queries, level.lanes, everything=self._everything)
        return found.drop(CONTROL, REASON).toArrow()

    def _frame(self, table: pa.Table, schema: StructType, tags: Sequence[str]) -> DataFrame:
        """Events of the state as rows of the stream; what the stream has and they do not is null."""
        wanted = [each for each in schema if each.name not in NOTICES]
        names = {carried(name): name for name in table.column_names}
        present = [each.name for each in wanted if each.name in names]
        chosen = table.select([*(names[name] for name in present), *tags])
        frame = self._spark.createDataFrame(chosen.rename_columns([*present, *tags]))
        columns = [
            column(each.name)
            if each.name in present and frame.schema[each.name].dataType == each.dataType
            else (column(each.name) if each.name in present else F.lit(None))
            .cast(each.dataType)
            .alias(each.name)
            for each in wanted
        ]
        nothing = [F.lit(None).cast("string").alias(name) for name in (CONTROL, REASON)]
        return frame.select(*columns, *tags, *nothing)

    # Buckets

    def _bucket(
        self, level: Level, lane: Lane, events: pa.Table, standing: Head, schema: StructType
    ) -> NewBucket:
        names = packed(schema.names)
        ready = waiting.in_order(events.filter(pc.invert(events[_WAITS])))
        new = NewBucket(
            Head(
                level.buckets,
                uuid4().hex,
                now=standing.now,
                position=ready.num_rows,
                changes={
                    name: (text, self._since(name, ready)) for name, (text, _) in standing.changes.items()
                },
                coming=list(standing.coming),
                made=dict(level.made),
                reads_events=level.reads_events,
                dealt=self.token,
            )
        )
        reaches = (reach_of(rule.compiled(name)) for name, rule in _hosted(new.head, level, lane).items())
        places = pa.array(np.arange(ready.num_rows, dtype=np.int64))
        kept = _plain(ready, names).append_column(POSITION, places)
        past.append(new.head, new, kept, reduce(or_, reaches, Reach(level.history, 0)))
        waits = events.filter(events[_WAITS])
        if waits.num_rows:
            waiting.wait(new.head, new, _plain(waits, names))
        return new

    def _since(self, name: str, events: pa.Table) -> int:
        """How many of the events a query must not see because it came after them."""
        since = np.array([bucket.head.changes.get(name, ("", 0))[1] for bucket in self._stored.buckets])
        return int(np.count_nonzero(events[POSITION].to_numpy() < since[events[_BUCKET].to_numpy()]))

    # Snapshots

    def _snapshots(self, new: Sequence[NewBucket], level: Level, lane: Lane, schema: StructType) -> None:
        """Deal out what the matchers of queries stood at that their events alone do not tell."""
        for name, rule in _hosted(new[0].head, level, lane).items():
            text, query = written(name, rule), rule.compiled(name)
            found = [
                _standing(bucket, name, rule)
                for bucket in self._stored.buckets
                if not query.replayable
                and name in bucket.head.snapshots
                and bucket.head.snapshot_rules.get(name, text) == text
            ]
            if not found:
                continue  # it sees the past that is there
            shares = [self._shares(each, query, lane, schema) for each in found]
            counted = query.plans[0].matching.contiguity == "partition"
            for place, bucket in enumerate(new):
                whole = len(found) == len(new) == 1
                own = found[0] if whole else united([each[place] for each in shares], counted=counted)
                number, _ = bucket.write_bytes(bucket.head, snapshot.to_bytes(own))
                bucket.head.snapshots[name], bucket.head.bases[name] = number, bucket.head.position
                bucket.head.snapshot_rules[name] = text

    def _shares(self, whole: Snapshot, query: sase.Query, lane: Lane, schema: StructType) -> list[Share]:
        """What of a snapshot goes to each bucket of a lane."""
        kept = [
            [self._placed(pa.Table.from_batches([each.source]), lane, schema) for each in disjunct]
            for disjunct in whole.kept
        ]
        cases = [
            self._placed(
                pa.table({name: [value[at] for value in group.values] for at, name in enumerate(by)}),
                lane,
                schema,
            )
            for by, group in zip(query.plans[0].scan.cases, whole.cases, strict=False)
        ]
        return [
            Share(
                whole,
                tuple(tuple(each == place for each in disjunct) for disjunct in kept),
                tuple(each == place for each in cases),
            )
            for place in range(len(lane.keys))
        ]

    def _placed(self, table: pa.Table, lane: Lane, schema: StructType) -> NDArray[np.int64]:
        """The bucket of each of these events, or cases, in a lane; -1: in none."""
        places = np.full(table.num_rows, -1 if lane.attributes else 0, np.int64)
        if lane.attributes and table.num_rows:
            rows = _tagged(table, {}).append_column(_ROW, pa.array(np.arange(table.num_rows)))
            frame = self._frame(rows, schema, (_ROW,)).withColumn("event", F.lit(""))
            place = LANE.format(0)
            found = laned(frame, self._heartbeat, (), (lane,), everything=True).select(_ROW, place).toArrow()
            places[found[_ROW].to_numpy()] = found[place].to_numpy()
        return places


def _hosted(head: Head, level: Level, lane: Lane) -> dict[str, Rule]:
    """The queries that run in a bucket of a lane."""
    rules = {name: rule for name, (rule, _) in standing_rules(level, head.changes).items()}
    return {name: rule for name, rule in rules.items() if level.hosts(rule.compiled(name), lane)}


def _standing(bucket: StoredBucket, name: str, rule: Rule) -> Snapshot:
    """A query's snapshot, brought up to the bucket's present."""
    head = bucket.head
    since = head.changes.get(name, ("", 0))[1]
    query = begin(sase.SetMatcher({}), name, rule, since, bucket.blobs[head.snapshots[name]])
    for table in past.since(head, bucket, head.bases.get(name, head.position)):
        query.replay(table)
    if head.now is not None:
        query.matcher.advance(head.now)
    return query.matcher.snapshot()


def _once(events: pa.Table, buckets: Sequence[StoredBucket], lane: Lane) -> pa.Table:
    """Every event once: lanes hold copies, and rows that are alike may well be two events of one lane."""
    if not events.num_rows:
        return events
    of = events[_BUCKET].to_numpy()
    named = [(bucket.level, lane_name(bucket.key)) for bucket in buckets]
    numbers = {each: number for number, each in enumerate(dict.fromkeys(named))}
    lanes = np.array([numbers[each] for each in named])[of]
    own = np.array([name == lane_name(lane.keys[0]) for _, name in named])[of]
    order = np.lexsort((events[POSITION].to_numpy(), of, ~own))
    ids, lanes = np.array(events["_id"].cast(pa.string()).to_pylist())[order], lanes[order]
    met: Counter[tuple[int, str]] = Counter()
    seen, chosen = set[tuple[str, int]](), []
    for row, id_, lane_ in zip(order.tolist(), ids.tolist(), lanes.tolist(), strict=True):
        met[lane_, id_] += 1
        if (one := (id_, met[lane_, id_])) not in seen:
            seen.add(one)
            chosen.append(row)
    return events.take(pa.array(chosen))


def _tagged(table: pa.Table, tags: Mapping[str, object]) -> pa.Table:
    """Types in full, ids as text, and these values in all rows."""
    for name, values in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_dictionary(values.type) or name == "_id":
            table = table.set_column(table.schema.get_field_index(name), name, values.cast(pa.string()))
    for name, value in tags.items():
        table = table.append_column(name, pa.repeat(value, table.num_rows))
    return table


def _plain(events: pa.Table, names: Sequence[str]) -> pa.Table:
    """As blobs have them."""
    return events.select(names).rename_columns([name.replace(DOT, ".") for name in names])
