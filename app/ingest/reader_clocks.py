"""How far each reader's clock is off, learned from its own messages, and their times put right."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from app.log.row import SENSED, Row, clock_row

Times = npt.NDArray[np.int64]
Chosen = npt.NDArray[np.bool_]

WINDOW_MS = 600_000
ENOUGH = 20  # seconds in which the reader was heard, until its clock is known
LEARNED_EVERY_MS = 5_000
HIGH = 0.9  # messages come late, never early: the quickest of them tell the clock
STEADY_MS = 500
TOLD_MS = 100  # by which a clock that drifts is another one
AT_A_SECOND_MS = 25  # the same where it passes a whole second
CORRECTED_MS = 50  # less than that is the way through the network
BELIEVED_MS = 10_000  # how old a reading of a reader may be whose clock is not known
MOST_READERS = 10_000


@dataclass(slots=True)
class ReaderClock:
    """`samples` are the quickest messages of a second each: when it was, and stamp less arrival."""

    samples: deque[tuple[int, int]] = field(default_factory=deque)
    offset_ms: int | None = None  # how far it is ahead, once that is known
    jumps: int = 0
    learned_ms: int = 0
    told_ms: int | None = None

    def hear(self, difference: int, arrival: int) -> None:
        """A message came whose stamp was so far ahead of its arrival; one sample a second is kept, so that a
        reader that delivers an hour's readings at once has not said the same thing a thousand times."""
        second, samples = arrival // 1000, self.samples
        if samples and samples[-1][0] == second:
            samples[-1] = (second, max(samples[-1][1], difference))
            return
        samples.append((second, difference))
        while len(samples) > ENOUGH and samples[0][0] < second - WINDOW_MS // 1000:
            samples.popleft()
        if len(samples) >= ENOUGH and arrival - self.learned_ms >= LEARNED_EVERY_MS:
            self.learned_ms = arrival
            self._learn()

    def news(self) -> int | None:
        """The offset, if it has become known or changed since it was last asked for."""
        known, told = self.offset_ms, self.told_ms
        if known is None or (told is not None and abs(known - told) <= _step(known, told)):
            return None
        self.told_ms = known
        return known

    def _learn(self) -> None:
        """The estimate over the window; what is not steady, such as readings that were held back and come in
        a burst, says nothing about the clock."""
        differences = np.array(self.samples, np.int64)[:, 1]
        if self.offset_ms is not None and _is_jump(differences[-ENOUGH:], self.offset_ms):
            self.jumps += 1
            self.samples = deque(list(self.samples)[-ENOUGH:])
            differences = differences[-ENOUGH:]
        offset = _high(differences)
        near = int(np.count_nonzero(np.abs(differences - offset) <= STEADY_MS))
        if 2 * near >= len(differences):
            self.offset_ms = offset


def _step(known: int, told: int) -> int:
    """Clocks are asked whether they are off by so many seconds: that is to be known soon."""
    return TOLD_MS if abs(known) // 1000 == abs(told) // 1000 else AT_A_SECOND_MS


def _is_jump(recent: Times, offset: int) -> bool:
    """Messages that agree with each other and not with what was known: the clock was set."""
    return bool(np.ptp(recent) <= STEADY_MS) and abs(_high(recent) - offset) > STEADY_MS


def _high(differences: Times) -> int:
    rank = int(HIGH * (len(differences) - 1))
    return int(np.partition(differences, rank)[rank])


class ReaderClocks:
    """Puts the times of rows right before they are written: who reads the log need not know about clocks."""

    def __init__(self, lateness_ms: int) -> None:
        self._lateness_ms = lateness_ms
        self._clocks: dict[str, ReaderClock] = {}
        self._heard_anew = False  # whether a clock may have become known, or another one

    def figures(self, reader: str) -> dict[str, int | None]:
        clock = self._clocks.get(reader) or ReaderClock()
        return {"offset_ms": clock.offset_ms, "clock_jumps": clock.jumps}

    def recall(self, reader: str, figures: Mapping[str, Any]) -> None:
        """What was known of the reader before a restart, from the log."""
        offset = figures.get("offset_ms")
        self._meet(reader).offset_ms = self._clocks[reader].told_ms = offset
        self._clocks[reader].jumps = figures.get("clock_jumps", 0)

    def correct(self, rows: pa.RecordBatch, *, live: bool) -> pa.RecordBatch:
        """The rows with their times put right. Only what comes `live`, not what a broker has kept meanwhile,
        says something about clocks."""
        encoded = rows["reader"].dictionary_encode()
        names, index = encoded.dictionary.to_pylist(), encoded.indices.to_numpy()
        stamps, received = rows["ts"].to_numpy(), rows["received"].to_numpy()
        stamped = _stamped(rows, stamps, received)
        if live:
            self._hear(names, index[stamped], (stamps - received)[stamped], received[stamped])
        times = np.where(stamped, np.minimum(stamps - self._offsets(names)[index], received), stamps)
        if live:
            old = received - times
            unsure = stamped & ~self._known(names)[index] & (old > self._lateness_ms) & (old <= BELIEVED_MS)
            times = np.where(unsure, received, times)
        return _with_times(rows, times, stamps)

    def news(self, rows: pa.RecordBatch) -> Iterator[Row]:
        """A row for each reader of these rows whose clock has become known, or is another one: at the latest
        time among the rows, because what stands after them may not be older, or it comes late."""
        if not self._heard_anew:
            return
        self._heard_anew = False
        latest = int(pc.max(rows["ts"]).as_py())
        for reader in rows["reader"].unique().to_pylist():
            clock = self._clocks.get(reader)
            offset = clock.news() if clock else None
            if clock and offset is not None:
                yield clock_row(reader, latest, int(rows["received"][-1].as_py()), offset, clock.jumps)

    def _hear(self, names: list[str], index: Times, differences: Times, received: Times) -> None:
        for number in np.unique(index).tolist():
            mine = index == number
            clock, arrival = self._meet(names[number]), int(received[mine].max())
            clock.hear(int(differences[mine].max()), arrival)
            self._heard_anew |= clock.learned_ms == arrival

    def _meet(self, reader: str) -> ReaderClock:
        if reader not in self._clocks and len(self._clocks) >= MOST_READERS:
            del self._clocks[next(iter(self._clocks))]
        return self._clocks.setdefault(reader, ReaderClock())

    def _known(self, names: list[str]) -> Chosen:
        return np.array([self.figures(name)["offset_ms"] is not None for name in names], np.bool_)

    def _offsets(self, names: list[str]) -> Times:
        offsets = np.array([self.figures(name)["offset_ms"] or 0 for name in names], np.int64)
        return np.where(np.abs(offsets) > CORRECTED_MS, offsets, 0)


def _stamped(rows: pa.RecordBatch, stamps: Times, received: Times) -> Chosen:
    """What readers have stamped themselves: a status without a time has that of its arrival."""
    told = pc.and_(pc.is_in(rows["kind"], pa.array([*SENSED, "status"])), pc.not_equal(rows["topic"], ""))
    said: Chosen = told.to_numpy(zero_copy_only=False).astype(np.bool_)
    chosen: Chosen = said & (stamps != received)
    return chosen


def _with_times(rows: pa.RecordBatch, times: Times, stamps: Times) -> pa.RecordBatch:
    columns = dict(zip(rows.schema.names, rows.columns, strict=True)) | {
        "ts": pa.array(times),
        "stamp": pa.array(stamps, mask=times == stamps),
    }
    return pa.RecordBatch.from_arrays([columns[name] for name in rows.schema.names], schema=rows.schema)
