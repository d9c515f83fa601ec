"""A Spark driver to be killed: copies the log to Parquet files, exactly once if offsets keep their word."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql.datasource import DataSource, SimpleDataSourceStreamReader
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from app import log
from app.log.row import ROW_SCHEMA
from app.spark.offsets import LogOffsets, Offset
from app.spark.options import log_address
from app.spark.session import session


class RowSource(DataSource):
    """The rows of the log as they are, by the offsets of Vigil's own stream."""

    @classmethod
    def name(cls) -> str:
        return "rows"

    def schema(self) -> StructType:
        return from_arrow_schema(ROW_SCHEMA)

    def simpleStreamReader(self, schema: StructType) -> RowReader:  # noqa: N802, ARG002
        # Spark commits a batch when the next one begins: on a quiet log ingest's heartbeats make it begin.
        return RowReader(self.options)


class RowReader(SimpleDataSourceStreamReader):
    def __init__(self, options: dict[str, str]) -> None:
        self._folder, self._offsets = log_address(options), LogOffsets(options)

    def initialOffset(self) -> Offset:  # type: ignore[override]  # noqa: N802
        return self._offsets.initial()

    def read(self, start: Offset) -> tuple[Iterator[pa.RecordBatch], Offset]:  # type: ignore[override]
        end = self._offsets.latest(start)
        return self.readBetweenOffsets(start, end), end

    def readBetweenOffsets(  # type: ignore[override]  # noqa: N802
        self, start: Offset, end: Offset
    ) -> Iterator[pa.RecordBatch]:
        return iter(list(log.read(self._folder, start["position"], end["position"])))

    def commit(self, end: Offset) -> None:  # type: ignore[override]
        self._offsets.commit(end)


def main(log_folder: str, target: str) -> None:
    spark = session("copying")
    spark.dataSource.register(RowSource)
    stream = spark.readStream.format("rows").option("consumer", "copying").load(log_folder)
    writer = stream.where("kind = 'reading'").writeStream.format("parquet")
    writer.option("checkpointLocation", f"{target}/checkpoint").start(f"{target}/out").awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
