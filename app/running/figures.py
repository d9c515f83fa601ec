"""What a running pipeline says about itself: Spark's progress as metrics, and switches taken over."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from app import log, store
from app.detection.pipeline import Pipeline
from app.running.log_follower import LogFollower


class Figures:
    """Call `tick` with Spark's last progress every now and then."""

    def __init__(self, pipeline: Pipeline, follower: LogFollower, now_ms: Callable[[], int]) -> None:
        self._pipeline, self._follower, self._now_ms = pipeline, follower, now_ms
        self._batch = self._position = -1
        self._counted = (now_ms(), store.totals(pipeline.engine).get("readings", 0))

    def tick(self, progress: Any, remark: str = "") -> None:
        """`remark` is what the pages should say beside the pipeline's state."""
        self._follower.catch_up()
        now_ms = self._now_ms()
        figures = {
            "readings_per_s": self._rate(now_ms),
            "late_share": self._follower.lateness.share(),
            "clock_behind_ms": float(self._follower.behind_ms),
        }
        if self._follower.speed is not None:
            figures["clock_speed"] = self._follower.speed
        if progress is not None:
            position = end_position(progress)
            figures |= self._of_batch(progress, position, now_ms)
            self._apply_switches(position, now_ms)
        store.record_metrics(self._engine, figures, now_ms)
        state = "up" if progress is not None else "starting"
        store.record_part(self._engine, "pipeline", state, remark, now_ms)

    @property
    def _engine(self) -> sa.Engine:
        return self._pipeline.engine

    def _rate(self, now_ms: int) -> float:
        then_ms, before = self._counted
        total = store.totals(self._engine).get("readings", 0)
        self._counted = (now_ms, total)
        return 1000 * (total - before) / max(1, now_ms - then_ms)

    def _of_batch(self, progress: Any, position: int, now_ms: int) -> dict[str, float]:
        figures = {"lag_rows": float(log.end(self._pipeline.cleaning.log) - position)}
        if progress.batchId == self._batch:
            return figures
        self._batch = progress.batchId
        operators = progress.stateOperators
        figures["batch_ms"] = float(progress.batchDuration)
        figures["batch_rows"] = float(progress.numInputRows)
        figures["state_rows"] = float(sum(operator.numRowsTotal for operator in operators))
        figures["state_bytes"] = float(sum(operator.memoryUsedBytes for operator in operators))
        advanced, self._position = position > self._position, position
        if not advanced:  # a batch without rows: the age of the last reading is no delay
            return figures
        received = self._follower.received_at(position)
        if received is None or self._follower.speed not in (None, 1.0):  # time that is played is no delay
            return figures
        return figures | {"delay_ms": float(now_ms - self._follower.behind_ms - received)}

    def _apply_switches(self, position: int, now_ms: int) -> None:
        """A switch holds once the batch with its row is done."""
        waiting = self._follower.switches
        while waiting and waiting[0].position < position:
            done = waiting.popleft()
            name = self._pipeline.scenario.name
            store.record_applied(self._engine, name, done.detector, done.revision, now_ms=now_ms)


def end_position(progress: Any) -> int:
    """The log position up to which a batch has read."""
    offset = progress.sources[0].endOffset
    return int((json.loads(offset) if isinstance(offset, str) else offset)["position"])
