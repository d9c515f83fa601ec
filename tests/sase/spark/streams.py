"""Streams for tests in a real Spark: files as micro-batches, and what came out of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession

Event = dict[str, Any]
SCHEMA = "event string, ts bigint, id bigint, v bigint"


def write(folder: Path, batches: Sequence[Sequence[Event]], first: int = 0) -> None:
    """One file per micro-batch, complete the moment it appears."""
    folder.mkdir(exist_ok=True)
    for number, events in enumerate(batches, first):
        draft = folder.parent / f"{folder.name}.{number}"
        draft.write_text("\n".join(json.dumps(event) for event in events))
        os.utime(draft, (1_700_000_000 + number,) * 2)  # Spark reads in the order of modification
        draft.rename(folder / f"{number:04}.json")


def read(spark: SparkSession, folder: Path, schema: str = SCHEMA) -> DataFrame:
    return spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).json(str(folder))


def drained(result: DataFrame, checkpoint: Path, seen: Callable[[Any], None] | None = None) -> list[Row]:
    """All rows of a stream that has read everything there is; `seen` is told the progress of each batch."""
    rows: list[Row] = []
    query = (
        result.writeStream.foreachBatch(lambda batch, _: rows.extend(batch.collect()))
        .option("checkpointLocation", str(checkpoint))
        .start()
    )
    try:
        query.processAllAvailable()
        for progress in query.recentProgress if seen else ():
            seen(progress)  # type: ignore[misc]
    finally:
        query.stop()
    return rows


def milliseconds(time: Any) -> int:
    return round(time.timestamp() * 1000)


def found(rows: Sequence[Row]) -> list[tuple[str, int, int, int]]:
    """The matches: query, start, end, when known."""
    times = ("start", "end", "ts")
    return sorted(
        (row["query"], *(milliseconds(row[name]) for name in times)) for row in rows if row["kind"] == "match"
    )
