"""The stateful operator: Spark calls it per bucket with packed rows, or with a timer that has expired."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

from sase.spark.bucket import files
from sase.spark.bucket.incoming import Incoming, unpacked
from sase.spark.bucket.level import Level
from sase.spark.bucket.state import BucketState, Head
from sase.spark.output.rows import finished

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Processor(StatefulProcessor):
    """Hosts the matchers of one level; all work is done before the first row is handed over."""

    def __init__(self, level: Level) -> None:
        self.level = level

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.state = BucketState(handle)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: TimerValues) -> Iterator[Row]:  # noqa: N802, N803
        return self._step(key, unpacked(rows), timerValues)

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: TimerValues,  # noqa: N803
        expiredTimerInfo: ExpiredTimerInfo,  # noqa: N803
    ) -> Iterator[Row]:
        return self._step(key, Incoming(), timerValues, expiredTimerInfo.getExpiryTimeInMs())

    def _step(
        self, key: Any, rows: Incoming, timers: TimerValues, expired: int | None = None
    ) -> Iterator[Row]:
        # Here, because the driver loads this module for `init` alone, and needs no engine.
        from sase.spark.bucket.step import BucketStep

        watermark = timers.getCurrentWatermarkInMs()
        head, lane = self.state.load(), self.level.lane(key[0])
        if lane is None:  # a timer calls, or the last row that is sent to it
            self.state.clear(None if head is None else head.timer)
            return iter(())
        if self.level.dealt and (head is None or head.dealt != self.level.dealt):
            if expired is not None:
                return iter(())  # rows come to all buckets at once, and only then do all begin anew
            head = self._begun(key[0], head)
        elif head is not None and head.buckets != self.level.buckets:
            raise ValueError(
                f"the checkpoint was written with {head.buckets} buckets, not {self.level.buckets}: "
                "give `match` its path as `checkpoint`, or keep `buckets` as it was"
            )
        step = BucketStep(self.level, key[0], lane, head, self.state, watermark)
        if expired is not None:
            step.head.timer = None  # Spark takes it off
        found = step.run(rows)
        _settle()
        # Spark takes a row at the watermark for late, also where rows come and time stands still.
        clock = max(step.head.now or 0, watermark + 1, 0)
        time = _EPOCH + timedelta(milliseconds=min(clock, _LATEST))
        return finished(found, time, self.level.shape)

    def _begun(self, key: int, old: Head | None) -> Head:
        """What was dealt to the bucket instead of what it held."""
        self.state.clear(None if old is None else old.timer)
        head, blobs = files.read(self.level.dealt, self.level.number, key)
        self.state.take_over(blobs)
        return head

    def close(self) -> None:
        """Nothing is held beyond a step."""


@cache
def _settle() -> None:
    """Once per worker, its kernels loaded: the collector need not go through half a million objects again."""
    gc.freeze()


_LATEST = 253_000_000_000_000  # a time that datetime can still hold
