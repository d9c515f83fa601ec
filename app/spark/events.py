"""Cleaned events as Spark sees them: of the log as it grows, and of a recorded part of it.

The source itself cleans, in the order of the log: the compiled cleaner takes some hundred thousand rows a
second, and any operator of Spark's would cost more time per micro-batch than the cleaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from app.cleaning.rebuild import load_once
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import CleanedStream, schema
from app.log.row import ROW_SCHEMA
from app.spark.cleaned_source import CleanedSource
from app.spark.options import log_options


def of_log(spark: SparkSession, setup: CleaningSetup, pace: Mapping[str, int | str]) -> DataFrame:
    """The events of a running log; `pace` are options of the source: `maxRows`, `deadline`."""
    spark.dataSource.register(CleanedSource)
    where = {"scenario": str(setup.scenario), "snapshots": str(setup.snapshots)}
    stream = spark.readStream.format(CleanedSource.name()).schema(_spark_schema(setup.scenario))
    return (
        stream.options(**where, **pace)
        .option("latenessMs", setup.lateness_ms)
        .options(**log_options(setup.log))
        .load()
    )


def of_recording(rows: DataFrame, setup: CleaningSetup) -> DataFrame:
    """The events of recorded rows: the same, from the beginning to the end in one go."""

    def events(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        stream = CleanedStream(load_once(setup.scenario), setup.lateness_ms, setup.catalogs, setup.learned)
        for table in _in_order(batches):
            yield stream.push(table)
        yield stream.finish()

    return rows.coalesce(1).mapInArrow(events, _spark_schema(setup.scenario))


def _in_order(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """All rows of a recording as one batch in the order of the log."""
    found = [batch for batch in batches if batch.num_rows]
    if found:
        table = pa.Table.from_batches(found).select(ROW_SCHEMA.names).sort_by("position")
        yield table.combine_chunks().cast(ROW_SCHEMA).to_batches()[0]


def _spark_schema(path: Path) -> StructType:
    return from_arrow_schema(schema(load_once(path)))
