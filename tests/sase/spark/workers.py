"""The stateful operator without a JVM: Spark's own tester, two workers, tasks that fail and run again."""

from __future__ import annotations

import copy
import json
import random
import zlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import Row
from pyspark.sql.streaming.tws_tester import TwsTester
from pyspark.sql.types import StructType

from sase.options import Limits
from sase.spark.bucket import query, worker_memory
from sase.spark.bucket.level import Level
from sase.spark.bucket.processor import Processor
from sase.spark.bucket.worker_memory import Remembered
from sase.spark.control import Rule
from sase.spark.input.columns import CONTROL, LANE, REASON, ROW
from sase.spark.input.fit import ColumnKind
from sase.spark.input.lanes import Lane, lane_of, lanes
from sase.spark.input.pack import Packer

Event = dict[str, Any]
HEARTBEAT = "HEARTBEAT"
_TEXTS = (CONTROL, REASON, ROW)


class Workers:
    """Runs queries on micro-batches; a task runs on one of two workers, and may fail before it commits."""

    def __init__(
        self,
        rules: Mapping[str, Rule | str],
        monkeypatch: pytest.MonkeyPatch,
        *,
        buckets: int = 2,
        lateness: int = 0,
        history: int = 0,
        streaming: bool = True,
        control: bool = False,
        seed: int = 0,
        sample: Sequence[Event] = (),
        kinds: Mapping[str, ColumnKind] = MappingProxyType({}),
        limits: Limits | None = None,
        deadlines: bool = False,
    ) -> None:
        self._columns = _columns(sample)
        self._monkeypatch, self._random = monkeypatch, random.Random(seed)
        monkeypatch.setattr(query, "_FEW", self._random.choice((0, 3, query._FEW)))
        given = {name: rule if isinstance(rule, Rule) else Rule(rule) for name, rule in rules.items()}
        self._rules = {name: rule.within(limits) for name, rule in given.items()}
        self._queries = [rule.compiled(name) for name, rule in self._rules.items()]
        self.lanes = lanes(self._queries, buckets, whole=control)
        self._caches: list[OrderedDict[str, Remembered]] = [OrderedDict(), OrderedDict()]
        level = Level(
            rules=self._rules,
            lanes=self.lanes,
            buckets=buckets,
            number=1,
            levels=1,
            made={},
            lateness=lateness,
            ordered=lateness == 0,
            history=history,
            limits=limits,
            streaming=streaming,
            nested=frozenset(),
            shape=StructType(),
            kinds=kinds,
            deadlines=deadlines,
        )
        self.tester = TwsTester(Processor(level), timeMode="EventTime", eventTimeExtractor=lambda _: 2**62)

    def batch(self, events: Sequence[Event], parts: int = 2) -> list[Row]:
        """One micro-batch, its rows spread over so many partitions."""
        columns = _columns(events) | self._columns
        tables = [self._table(events[part::parts], columns) for part in range(parts)]
        packer = Packer(self.lanes, tuple(columns), HEARTBEAT, None)
        packed = [packer.packed(table, part, 0) for part, table in enumerate(tables) if table.num_rows]
        rows = [Row(**row) for batch in packed for row in batch.to_pylist()]
        self._random.shuffle(rows)
        return [row for lane in self.lanes for key in lane.keys for row in self._task(key, rows)]

    def watermark(self, time: int) -> list[Row]:
        """A micro-batch without data, in which the watermark has moved."""
        self._choose_worker()
        found: list[Row] = self.tester.setWatermark(time)
        return found

    def forget(self) -> None:
        """All workers are new."""
        for cache in self._caches:
            cache.clear()

    def _task(self, key: int, rows: Sequence[Row]) -> list[Row]:
        own = [row for row in rows if row.bucket == key]
        self._choose_worker()
        if self._random.random() < 0.2:
            handle = self.tester.handle
            saved = copy.deepcopy((handle.value_states["head"].state, handle.map_states["blobs"].state))
            timers = copy.deepcopy(handle._timers)
            self.tester.test(key, own)
            handle.value_states["head"].state, handle.map_states["blobs"].state = saved
            handle._timers = timers
            self._choose_worker()
        found: list[Row] = self.tester.test(key, own)
        return found

    def _choose_worker(self) -> None:
        self._monkeypatch.setattr(worker_memory, "_buckets", self._random.choice(self._caches))

    def _table(self, events: Sequence[Event], columns: Mapping[str, pa.DataType]) -> pa.Table:
        rows = [{**event, **self._places(event)} for event in events]
        places = {LANE.format(number): pa.int32() for number in range(len(self.lanes))}
        types = columns | places | dict.fromkeys(_TEXTS, pa.string())
        return pa.table(
            {name: pa.array([row.get(name) for row in rows], kind) for name, kind in types.items()}
        )

    def _places(self, event: Event) -> dict[str, int | None]:
        return {LANE.format(n): _place(lane, event) for n, lane in enumerate(self.lanes)}

    def lane(self, name: str) -> Lane:
        return lane_of(self._rules[name].compiled(name), self.lanes)


def _place(lane: Lane, event: Event) -> int | None:
    values = [event.get(name) for name in lane.attributes]
    if None in values or event["event"] in (None, HEARTBEAT):
        return None
    alike = [
        value if isinstance(value, str) else value + 0.0 for value in values
    ]  # 0, 0.0 and -0.0 are equal
    return zlib.crc32(json.dumps(alike).encode()) % len(lane.keys)


def _columns(events: Sequence[Event]) -> dict[str, pa.DataType]:
    """What a DataFrame of these events would have."""
    names = dict.fromkeys(name for event in events for name in event if name not in _TEXTS)
    found = {name: pa.array([event.get(name) for event in events]).type for name in names}
    return {"event": pa.string(), "ts": pa.int64(), "_id": pa.string()} | found
