"""What a checkpoint holds of `match`: how far it has come, and the buckets of every level."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from sase.spark.blob import decode
from sase.spark.bucket.level import Level
from sase.spark.bucket.state import Head, read_head


@dataclass(frozen=True, slots=True)
class StoredBucket:
    """A bucket as its last committed step has left it; read like the state of a running one."""

    level: int
    key: int
    head: Head
    blobs: Mapping[int, bytes]

    def read(self, number: int) -> pa.Table:
        return decode(self.blobs[number])


class Checkpoint:
    """The state of all levels after the last micro-batch that was committed."""

    def __init__(self, spark: SparkSession, path: str, batch: int) -> None:
        self._spark, self._path, self.batch = spark, path, batch
        self._operators = self._ours()
        self.heads = [self._heads(operator) for operator in self._operators]  # by level, from 1 on

    @property
    def levels(self) -> int:
        return len(self._operators)

    def holds(self, levels: Iterable[Level]) -> bool:
        """Whether its buckets are those of these levels, so that each finds its own events again."""
        for heads, level in zip(self.heads, levels, strict=True):
            keys = {*chain.from_iterable(lane.keys for lane in level.lanes)}
            if heads and heads.keys() != keys:
                return False
            if any(head.buckets != level.buckets for head in heads.values()):
                return False
            if any(head.made is not None and head.made != level.made for head in heads.values()):
                return False
        return True

    def read_events(self, level: int) -> bool | None:
        """Whether a level has read the stream's own events; None: nobody has noted it."""
        return next((head.reads_events for head in self.heads[level - 1].values()), None)

    @cached_property
    def buckets(self) -> list[StoredBucket]:
        """All of them, with their events."""
        return [
            StoredBucket(number, key, head, blobs.get(key, {}))
            for number, (operator, heads) in enumerate(zip(self._operators, self.heads, strict=True), 1)
            for blobs in [self._blobs(operator)]
            for key, head in heads.items()
        ]

    def _ours(self) -> list[int]:
        """The operators of `match`. Spark numbers operators from the last one back."""
        found = self._spark.read.format("state-metadata").load(self._path).collect()
        ours = set()
        for row in found:
            said = json.loads(row["operatorProperties"] or "{}")
            names = {each["stateName"] for each in said.get("stateVariables", ())}
            ours |= {row["operatorId"]} if {"head", "blobs"} <= names else set()
        return sorted(ours, reverse=True)

    def _heads(self, operator: int) -> dict[int, Head]:
        rows = self._state(operator, "head").select("key.bucket", "value.text").collect()
        return {row["bucket"]: read_head(row["text"]) for row in rows}

    def _blobs(self, operator: int) -> dict[int, dict[int, bytes]]:
        columns = ("key.bucket", "user_map_key.number", "user_map_value.blob")
        found: dict[int, dict[int, bytes]] = {}
        for row in self._state(operator, "blobs").select(*columns).collect():
            found.setdefault(row["bucket"], {})[row["number"]] = bytes(row["blob"])
        return found

    def _state(self, operator: int, name: str) -> DataFrame:
        reader = self._spark.read.format("statestore").option("operatorId", operator)
        return reader.option("stateVarName", name).option("batchId", self.batch).load(self._path)


def checkpoint(spark: SparkSession, path: str) -> Checkpoint | None:
    """The checkpoint at this path, on any file system that Spark reaches; None if nothing is committed."""
    jvm = spark._jvm
    assert jvm is not None
    commits = jvm.org.apache.hadoop.fs.Path(path, "commits")
    files = commits.getFileSystem(spark._jsc.hadoopConfiguration())
    if not files.exists(commits):
        return None
    names = [each.getPath().getName() for each in files.listStatus(commits)]
    done = [int(name) for name in names if name.isdigit()]
    return Checkpoint(spark, path, max(done)) if done else None
