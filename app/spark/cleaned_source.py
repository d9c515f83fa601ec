"""The log as a stream of cleaned events, as a Spark data source.

Three processes of Spark's load this module before the first batch, and only one of them cleans: what cleaning
needs is imported there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, SimpleDataSourceStreamReader
from pyspark.sql.types import StructType

from app.cleaning.setup import CleaningSetup
from app.spark.offsets import LogOffsets, Offset
from app.spark.options import log_address, number

if TYPE_CHECKING:
    from app.spark.cleaned_log import CleanedLog


class CleanedSource(DataSource):
    """Options: those of `LogOffsets`, `scenario`, `snapshots` and `latenessMs`; the schema is given."""

    @classmethod
    def name(cls) -> str:
        return "vigil-cleaned"

    def simpleStreamReader(self, schema: StructType) -> CleanedReader:  # noqa: N802, ARG002
        paths = Path(self.options["scenario"]), log_address(self.options), Path(self.options["snapshots"])
        return CleanedReader(CleaningSetup(*paths, number(self.options, "latenessMs", 0)), self.options)


class CleanedReader(SimpleDataSourceStreamReader):
    """Reads and cleans in the one process that plans the stream, where the cleaned stream is current."""

    def __init__(self, setup: CleaningSetup, options: Mapping[str, str]) -> None:
        self._offsets, self._setup = LogOffsets(options), setup

    def initialOffset(self) -> Offset:  # type: ignore[override]  # noqa: N802
        return self._offsets.initial()

    def read(self, start: Offset) -> tuple[Iterator[pa.RecordBatch], Offset]:  # type: ignore[override]
        end = self._offsets.latest(start)
        return self.readBetweenOffsets(start, end), end

    def readBetweenOffsets(  # type: ignore[override]  # noqa: N802
        self, start: Offset, end: Offset
    ) -> Iterator[pa.RecordBatch]:
        return iter(self._log.between(start, end))  # of a list: Spark copies it

    def commit(self, end: Offset) -> None:  # type: ignore[override]
        self._offsets.commit(end)

    @cached_property
    def _log(self) -> CleanedLog:
        from app.spark.cleaned_log import CleanedLog

        return CleanedLog(self._setup)
