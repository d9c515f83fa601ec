"""The log as a stream of events, as a Spark data source.

Three processes of Spark's load this module before the first batch, and only one of them cleans: what cleaning
needs is imported there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, SimpleDataSourceStreamReader
from pyspark.sql.types import StructType

from app.spark.log_source import LogStreamReader, Offset, folder, number

if TYPE_CHECKING:
    from app.cleaning.rebuild import Bench


@dataclass(frozen=True)
class Place:
    """Where a washer finds what it needs: the scenario's file, the log, and a folder to keep snapshots in."""

    scenario: Path
    log: Path
    snapshots: Path
    lateness_ms: int


class CleanedSource(DataSource):
    """Options: those of "vigil", `scenario`, `snapshots` and `latenessMs`; the schema is given."""

    @classmethod
    def name(cls) -> str:
        return "vigil-cleaned"

    def simpleStreamReader(self, schema: StructType) -> CleanedReader:  # noqa: N802, ARG002
        paths = Path(self.options["scenario"]), folder(self.options), Path(self.options["snapshots"])
        return CleanedReader(Place(*paths, number(self.options, "latenessMs", 0)), self.options)


class CleanedReader(SimpleDataSourceStreamReader):
    """Reads and cleans in the one process that plans the stream, where the washer is always current."""

    def __init__(self, place: Place, options: Mapping[str, str]) -> None:
        self._source, self._place = LogStreamReader(options), place

    def initialOffset(self) -> Offset:  # type: ignore[override]  # noqa: N802
        return self._source.initialOffset()

    def read(self, start: Offset) -> tuple[Iterator[pa.RecordBatch], Offset]:  # type: ignore[override]
        end = self._source.latestOffset(start, self._source.getDefaultReadLimit())
        return self.readBetweenOffsets(start, end), end

    def readBetweenOffsets(  # type: ignore[override]  # noqa: N802
        self, start: Offset, end: Offset
    ) -> Iterator[pa.RecordBatch]:
        return iter(self._bench.answer(start, end))  # of a list: Spark copies it

    def commit(self, end: Offset) -> None:  # type: ignore[override]
        self._source.commit(end)

    @cached_property
    def _bench(self) -> Bench:
        from app.cleaning.rebuild import Bench

        return Bench(self._place)
