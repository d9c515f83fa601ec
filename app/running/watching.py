"""When each reader was watched: its own silences, times in which Vigil did not listen, readings put aside."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.stream import HELD_MS
from app.ingest.reader_health import SILENT
from app.log.row import SENSED
from app.store import VIGIL, Silence

# Vigil says in the log every second that it listens: so many times that, and at least so long, without a row.
MISSED_BEATS, SHORTEST_GAP_MS = 5, 15_000
# Late readings of one reader that lie closer together are one time in which it was not watched.
ONE_STRETCH_MS = 10_000
ONE_DELIVERY_MS = 600_000


class Watching:
    """Takes the rows of the log in their order. `silent` are the readers that are silent now, since when;
    `heard_ms` is when the last row came, None before the first one ever."""

    def __init__(
        self,
        readers: Sequence[str],
        silent: dict[str, int],
        heard_ms: int | None,
        heartbeat_ms: int,
        *,
        simulated: bool = False,
    ) -> None:
        self.silent = silent
        self.heard_ms = heard_ms
        self._readers, self._simulated = readers, simulated
        self._gap_ms = max(SHORTEST_GAP_MS, MISSED_BEATS * heartbeat_ms) if heartbeat_ms else 0
        self._speed = 1.0  # of the arrival clock, if a simulation brings its own
        self._aside: dict[str, tuple[int, int]] = {}
        self._delivered: dict[str, Silence] = {}

    def silences(self, rows: pa.RecordBatch, late: pa.RecordBatch) -> list[Silence]:
        """Times in which somebody was not watched: that begin, go on or end with these rows. `late` are those
        among them that were put aside."""
        self._speed = _speed(rows, self._speed)
        found = [*self._gaps(rows), *self._reported(rows), *self._put_aside(late)]
        return list({(one.reader, one.from_ms): one for one in found}.values())

    def delivered(self, rows: pa.RecordBatch) -> list[Silence]:
        """For each reader the time that it was thought silent in, and has told of since."""
        readings = rows.filter(pc.is_in(rows["kind"], pa.array(SENSED)))
        old = readings.filter(pc.greater(pc.subtract(readings["received"], readings["ts"]), SHORTEST_GAP_MS))
        return [self._deliver(*told) for told in _by_reader(old)]

    def begin(self, reader: str, since_ms: int) -> Iterator[Silence]:
        if reader not in self.silent:
            self.silent[reader] = since_ms
            yield Silence(reader, since_ms, None)

    def _gaps(self, rows: pa.RecordBatch) -> Iterator[Silence]:
        """Where no row came for so long nobody listened: Vigil was down, or its broker away."""
        arrivals = rows["received"].to_numpy()
        first = int(arrivals[0]) if self.heard_ms is None else self.heard_ms
        if self.heard_ms is None and not self._simulated:  # before a world that is played nothing happened
            yield Silence(VIGIL, 0, first)
        before = np.maximum.accumulate(np.concatenate([[first], arrivals]))
        missed = np.flatnonzero(np.diff(before) > self._gap_ms * self._speed) if self._gap_ms else ()
        for row in missed:
            gap = int(before[row]), int(before[row + 1])
            yield from (Silence(one, *gap) for one in (VIGIL, *self._readers))
        self.heard_ms = int(before[-1])

    def _reported(self, rows: pa.RecordBatch) -> Iterator[Silence]:
        """Silences that begin (noticed by ingest, or the broker says that the reader is gone) and end."""
        told = list(statuses(rows))
        quiet = {*self.silent, *(row["reader"] for row, detail in told if _is_silence(detail))}
        heard: list[tuple[Mapping[str, Any], dict[str, Any]]] = [(row, {}) for row in _heard(rows, quiet)]
        for row, detail in sorted([*told, *heard], key=lambda pair: pair[0]["position"]):
            if _is_silence(detail):
                yield from self.begin(row["reader"], detail.get("silent_since_ms") or row["ts"])
            elif row["topic"] != "":
                yield from self._end(row["reader"], row["ts"])

    def _put_aside(self, late: pa.RecordBatch) -> Iterator[Silence]:
        """A reader whose readings came too late was looking, but for nothing; what was held back is looked at
        again."""
        held = pc.greater(pc.subtract(late["received"], late["ts"]), HELD_MS)
        for reader, low, high, _ in _by_reader(late.filter(pc.invert(held))):
            since, until = self._aside.get(reader, (low, low))
            if not since - ONE_STRETCH_MS <= low <= until + ONE_STRETCH_MS:
                since, until = low, low
            self._aside[reader] = since, max(until, high + 1)
            yield Silence(reader, *self._aside[reader])

    def _end(self, reader: str, at_ms: int) -> Iterator[Silence]:
        if at_ms > self.silent.get(reader, at_ms):
            since = self.silent.pop(reader)
            yield Silence(reader, since, 0 if self._simulated and since == 0 else at_ms)

    def _deliver(self, reader: str, low: int, high: int, received: int) -> Silence:
        """What follows soon on an earlier delivery continues it."""
        known = self._delivered.get(reader)
        if known is not None and received - known.from_ms <= ONE_DELIVERY_MS:
            low = min(low, known.until_ms or low)
        self._delivered[reader] = Silence(reader, received, high)
        return Silence(reader, low, high)


def statuses(rows: pa.RecordBatch) -> Iterator[tuple[Mapping[str, Any], dict[str, Any]]]:
    """What readers say about themselves, and ingest about them."""
    for row in rows.filter(pc.equal(rows["kind"], "status")).to_pylist():
        detail = json.loads(row["detail"] or "{}")
        if row["reader"] and isinstance(detail, dict):
            yield row, detail


def _is_silence(detail: Mapping[str, Any]) -> bool:
    return detail.get("status") in (SILENT, "offline")


def _heard(rows: pa.RecordBatch, readers: set[str]) -> list[dict[str, Any]]:
    chosen = pc.is_in(rows["reader"], pa.array(sorted(readers), pa.string()))
    mine = pc.and_(pc.is_in(rows["kind"], pa.array(SENSED)), chosen)
    found: list[dict[str, Any]] = rows.filter(mine).select(["position", "reader", "ts", "topic"]).to_pylist()
    return found


def _by_reader(rows: pa.RecordBatch) -> Iterator[tuple[str, int, int, int]]:
    """For each reader its first and last moment in these rows, and when the last of them came."""
    grouped = pa.Table.from_batches([rows]).group_by("reader")
    found = grouped.aggregate([("ts", "min"), ("ts", "max"), ("received", "max")]).to_pydict()
    names = ("reader", "ts_min", "ts_max", "received_max")
    yield from zip(*(found[name] for name in names), strict=True)


def _speed(rows: pa.RecordBatch, known: float) -> float:
    beats = rows.filter(pc.and_(pc.equal(rows["kind"], "heartbeat"), pc.is_valid(rows["detail"])))
    return max(1.0, json.loads(beats["detail"][-1].as_py()).get("speed", 1.0)) if beats.num_rows else known
