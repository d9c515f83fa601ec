"""How far Spark has come in the log: positions, and how far the next batch may go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from app import log
from app.spark.options import log_address, number

MAX_ROWS = 200_000
MAX_BYTES = 64 << 20  # of the log in one batch: rows may be large


class Offset(TypedDict):
    """The next position. `beat` stands only in checkpoints of earlier versions: the time that had been
    reached there without a row of the log."""

    position: int
    beat: NotRequired[int]


class LogOffsets:
    """Options: `maxRows` and `maxBytes` of a batch; `consumer`, the name under which the log keeps what is
    not yet committed."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._log = log_address(options)
        self._max_rows = number(options, "maxRows", MAX_ROWS)
        self._max_bytes = number(options, "maxBytes", MAX_BYTES)
        self._near: log.SeekPoint | None = None
        self._consumer = options.get("consumer", "spark")
        self._committed = -1

    def initial(self) -> Offset:
        return {"position": log.earliest(self._log)}

    def available(self) -> int:
        """Where the log ends."""
        return log.end(self._log)

    def latest(self, start: Offset) -> Offset:
        """Where the batch that begins at `start` ends: some rows further, or there if there are none."""
        available = self.available()
        waiting = available - start["position"]
        if waiting < 0:
            raise log.LogError(
                f"{self._log} ends at {available}, but the query has read up to {start['position']}: "
                "this is not the log that the checkpoint belongs to. Use a new checkpoint."
            )
        return {"position": self._end(start["position"], waiting)} if waiting else start

    def _end(self, start: int, waiting: int) -> int:
        self._near = log.seek_point(self._log, start, self._near)
        stop = start + min(waiting, self._max_rows)
        return log.bounded_end(self._log, start, stop, self._max_bytes, self._near)

    def commit(self, end: Offset) -> None:
        if end["position"] != self._committed:
            self._committed = end["position"]
            log.commit(self._log, self._consumer, self._committed)
