"""A stream that was cut while an older version of the engine matched it: its queries, its rows, its source.

`old_checkpoint.tar.xz` holds what commit 0479c22 left behind: `checkpoint/` after the rows of the first
batches, and `found.json`, the matches that the same version gave when it went on from there.
"""

from __future__ import annotations

import json
import random
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition

from sase.spark import change, match

CUT, BATCHES, SIZE = 3, 5, 40  # micro-batches before the cut and in all, events in each
SEED = 200  # so that every query has a match across the cut
SCHEMA = "event string, ts bigint, id bigint, v bigint, control string"
QUERIES = {
    "pair": "EVENT SEQ(A x, !(C n), B y) WHERE [id] AND x.v < y.v WITHIN 10 sec",
    "alone": "EVENT SEQ(A x, !(B n)) WHERE [id] WITHIN 3 sec RETURN x.id AS id INTO ALONE",
    "twice": "EVENT SEQ(ALONE p, ALONE q) WHERE [id] WITHIN 20 sec",
    "between": "EVENT SEQ(!(C n), A x, !(D m)) WHERE [id] WITHIN 2 sec",
    "once": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 5 sec OUTPUT NON-OVERLAP",
    "next": "EVENT SEQ(A x, D y) WHERE strict_contiguity(x, y) { x.v <= y.v } WITHIN 9 events",
    "beside": "EVENT SEQ(A x, D y) WHERE partition_contiguity(x, y) { [id] } WITHIN 9 sec",
}
ADDED = "EVENT SEQ(A x, D y) WHERE [id] AND x.v > y.v WITHIN 4 sec"

Cells = tuple[str | None, int, int | None, int | None, str | None]


def rows(batch: int) -> list[Cells]:
    """The rows of a micro-batch, out of order within 300 ms; after the last one time passes."""
    chance = random.Random(SEED + batch)
    draw = chance.randrange
    found: list[Cells] = [
        (chance.choice("ABCD"), 100 * at + draw(300), draw(5), draw(10), None)
        for at in range(batch * SIZE, (batch + 1) * SIZE)
    ]
    changes = {1: ("added", 5_000), 2: ("later", 14_000)}
    if batch in changes:
        name, time = changes[batch]
        found.append((None, time, None, None, change(name, ADDED)))
    return found if batch < BATCHES else [("HEARTBEAT", 100_000, None, None, None)]


class Batches(DataSource):
    """Rows that the code itself knows: its checkpoint says how many were read, and names no file."""

    @classmethod
    def name(cls) -> str:
        return "batches"

    def schema(self) -> str:
        return SCHEMA

    def streamReader(self, schema: Any) -> DataSourceStreamReader:  # noqa: N802, ARG002
        return _Reader(int(self.options["until"]))


class _Reader(DataSourceStreamReader):
    def __init__(self, until: int) -> None:
        self._until = until

    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        return {"read": 0}

    def latestOffset(self) -> dict[str, int]:  # noqa: N802
        return {"read": self._until}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        return [InputPartition((start["read"], end["read"]))]

    def read(self, partition: InputPartition) -> Iterator[Cells]:
        for batch in range(*partition.value):
            yield from rows(batch)


def matched(spark: SparkSession, until: int) -> DataFrame:
    """The stream up to a micro-batch."""
    spark.dataSource.register(Batches)
    events = spark.readStream.format("batches").option("until", until).load()
    return match(events, QUERIES, control="control", lateness="1 sec", buckets=2)


def told(found: list[Row]) -> list[list[str]]:
    """What is the same in every version: which match, when, of which events."""
    columns = ("query", "id", "ts", "start", "end", "events", "attributes")
    return sorted([str(row[name]) for name in columns] for row in found if row["kind"] == "match")


def unpacked(folder: Path) -> tuple[Path, list[list[str]]]:
    """The checkpoint, and what its own version found when it went on."""
    with tarfile.open(Path(__file__).with_name("old_checkpoint.tar.xz")) as archive:
        archive.extractall(folder, filter="data")
    checkpoint = folder / "checkpoint"
    # Spark notes where the schema of its state lies, with the whole path; in the archive it is /checkpoint.
    for notes in checkpoint.glob("state/*/_metadata/v2/*"):
        notes.write_text(notes.read_text().replace("file:/checkpoint", f"file:{checkpoint}"))
    return checkpoint, json.loads((folder / "found.json").read_text())
