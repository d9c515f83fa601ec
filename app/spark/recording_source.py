"""The log as a table: the Spark data source "vigil"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from app import log
from app.log import row
from app.spark.options import log_address, number

_LAST = 2**63 - 1

TIME = pa.field("time", pa.timestamp("us", "UTC"), nullable=False)
SCHEMA = pa.schema([*row.ROW_SCHEMA, TIME])


@dataclass(frozen=True)
class Rows(InputPartition):
    """A range of positions."""

    start: int
    stop: int


class RecordingSource(DataSource):
    """Options: see docs/connecting-readers.md."""

    @classmethod
    def name(cls) -> str:
        return "vigil"

    def schema(self) -> StructType:
        return from_arrow_schema(SCHEMA)

    def reader(self, schema: StructType) -> RecordingReader:  # noqa: ARG002
        return RecordingReader(self.options)


def register(spark: SparkSession) -> None:
    spark.dataSource.register(RecordingSource)


class RecordingReader(DataSourceReader):
    """A part of the log: fromPosition to toPosition and fromTs to toTs; the `to` ends are excluded."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._log = log_address(options)
        self._start = number(options, "fromPosition", log.earliest(self._log))
        self._stop = min(number(options, "toPosition", log.end(self._log)), log.end(self._log))
        self._from_ts = number(options, "fromTs", 0)
        self._to_ts = number(options, "toTs", _LAST)

    def partitions(self) -> Sequence[InputPartition]:
        return [Rows(part.start, part.stop) for part in log.ranges(self._log, self._start, self._stop)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Rows)
        for batch in log.read(self._log, partition.start, partition.stop):
            wanted = pc.and_(pc.greater_equal(batch["ts"], self._from_ts), pc.less(batch["ts"], self._to_ts))
            yield _timed(batch.filter(wanted))


def _timed(batch: pa.RecordBatch) -> pa.RecordBatch:
    moments = batch["ts"].cast(pa.timestamp("ms", "UTC")).cast(TIME.type)
    return pa.RecordBatch.from_arrays([*batch.columns, moments], schema=SCHEMA)
