"""The log as a stream of cleaned events, as a Spark data source.

Three processes of Spark's load this module before the first batch, and only one of them cleans: what cleaning
needs is imported there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, SimpleDataSourceStreamReader
from pyspark.sql.types import StructType

from app.cleaning.setup import CleaningSetup
from app.spark.next_deadline import NextDeadline
from app.spark.offsets import LogOffsets, Offset
from app.spark.options import log_address, number

if TYPE_CHECKING:
    from app.spark.cleaned_log import CleanedLog

LONGEST_WAIT_S = 1.0
# How often to look for news: at rest less often, because asking a log on another machine is a message.
BUSY_WAIT_S, REST_WAIT_S = 0.01, 0.04
REST_AFTER_S = 2.0


class CleanedSource(DataSource):
    """Options: those of `LogOffsets`, `scenario`, `snapshots`, `latenessMs`, and `deadline`, a file that says
    until when nothing happens of itself; the schema is given."""

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
        self._deadline = NextDeadline(Path(options["deadline"])) if "deadline" in options else None
        self._quiet_until = -1  # up to which position only time passes
        self._busy_s = time.monotonic()  # when there was last something to read

    def initialOffset(self) -> Offset:  # type: ignore[override]  # noqa: N802
        return self._offsets.initial()

    def read(self, start: Offset) -> tuple[Iterator[pa.RecordBatch], Offset]:  # type: ignore[override]
        """Waits for a while if there is no news: Spark asks again at once."""
        until_s = time.monotonic() + LONGEST_WAIT_S
        while True:
            self._wait_for_news(start, until_s)
            end = self._offsets.latest(start)
            if end == start:
                return iter(()), start
            if not self._only_time_passes(start, end):
                self._busy_s = time.monotonic()
                return self.readBetweenOffsets(start, end), end
            self._quiet_until = end["position"]
            if time.monotonic() >= until_s:
                return iter(()), start

    def _wait_for_news(self, start: Offset, until_s: float) -> None:
        known, now_s = (start["position"], self._quiet_until), time.monotonic()
        pause_s = BUSY_WAIT_S if now_s - self._busy_s < REST_AFTER_S else REST_WAIT_S
        while self._offsets.available() in known and time.monotonic() < until_s:
            time.sleep(pause_s)

    def _only_time_passes(self, start: Offset, end: Offset) -> bool:
        """Nothing is read and nothing is due: a micro-batch for every heartbeat would cost half a core."""
        known = None if self._deadline is None else self._deadline.known()
        return known is not None and self._log.only_time_passes(start, end, known)

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
