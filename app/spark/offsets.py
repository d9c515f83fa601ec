"""How far Spark has come in the log: positions and, on a quiet log, heartbeats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict

import pyarrow.compute as pc

from app import clock, log
from app.spark.options import folder, number

MAX_ROWS = 200_000
HEARTBEAT_MS = 1_000
SLACK_MS = 1_000
_SEEN_ROWS = 1_000  # among so many rows before a position the latest time is looked for


class Offset(TypedDict):
    """How far a stream has come: the next position, and the time of the last heartbeat."""

    position: int
    beat: int


class LogOffsets:
    """Options: `maxRows` of a batch, `heartbeatMs` (0: none), `heartbeatSlackMs` behind the clock on the
    wall, and `consumer`, the name under which the log keeps what is not yet committed."""

    def __init__(self, options: Mapping[str, str], now_ms: Callable[[], int] = clock.now_ms) -> None:
        self._folder = folder(options)
        self._max_rows = number(options, "maxRows", MAX_ROWS)
        self._heartbeat_ms = number(options, "heartbeatMs", HEARTBEAT_MS)
        self._slack_ms = number(options, "heartbeatSlackMs", SLACK_MS)
        self._consumer = options.get("consumer", "spark")
        self._now_ms = now_ms
        self._committed = -1
        self._last_seen = (-1, 0)  # a position and the time of the rows before it

    def initial(self) -> Offset:
        return {"position": log.earliest(self._folder), "beat": 0}

    def latest(self, start: Offset) -> Offset:
        """Where the batch that begins at `start` ends: some rows further, or where there are none, later."""
        available = log.end(self._folder)
        waiting = available - start["position"]
        if waiting < 0:
            raise log.LogError(
                f"{self._folder} ends at {available}, but the query has read up to {start['position']}: "
                "this is not the log that the checkpoint belongs to. Use a new checkpoint."
            )
        if waiting == 0:
            return {"position": start["position"], "beat": self._next_beat(start)}
        return {"position": start["position"] + min(waiting, self._max_rows), "beat": start["beat"]}

    def commit(self, end: Offset) -> None:
        if end["position"] != self._committed:
            self._committed = end["position"]
            log.commit(self._folder, self._consumer, self._committed)

    def _next_beat(self, start: Offset) -> int:
        """Now, less some slack; not before it is due, and never behind what the query has seen.

        While nobody listens to the readers no time passes: nothing has failed to happen, and what the broker
        keeps meanwhile is not late."""
        if not self._heartbeat_ms:
            return start["beat"]
        seen = max(start["beat"], self._seen_ts(start["position"]))
        heard = log.listening(self._folder)
        now = self._now_ms()
        moment = (now if heard is None else min(now, heard)) - self._slack_ms
        return moment if moment >= seen + self._heartbeat_ms else start["beat"]

    def _seen_ts(self, position: int) -> int:
        """The latest time among the rows just before the position."""
        if self._last_seen[0] != position:
            first = max(log.earliest(self._folder), position - _SEEN_ROWS)
            batches = log.read(self._folder, first, position)
            self._last_seen = (position, max((pc.max(batch["ts"]).as_py() for batch in batches), default=0))
        return self._last_seen[1]
