"""Reads a log that is a stream: positions are found by halving over its frames, which say where they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pyarrow as pa

from app.backoff import Backoff
from app.log.by_position import gathered
from app.log.errors import LogTrimmedError, StreamDamagedError
from app.log.interface import LogRetention, SeekPoint
from app.log.jetstream.client import ANSWER_BYTES, Client
from app.log.jetstream.frame import StoredFrame, placed, rows_of
from app.log.jetstream.notes import Notes
from app.log.jetstream.sourcing import CONSUMER, Upstream
from app.log.jetstream.streams import StreamState, state
from app.log_address import StreamAddress

PART_BYTES = 64 << 20  # what is worth to be read beside the rest
BATCH_FRAMES = 1_000
REMEMBERED = 10_000
# A replica may lag behind the leader that has named a sequence.
REPLICA_S = 10.0


class StreamLog:
    """Of one thread. Frames never change, so their places are remembered."""

    def __init__(self, address: StreamAddress) -> None:
        self._address, self._client = address, Client(address)
        self._notes = Notes(self._client)
        self._upstream = Upstream(address) if address.hub else None
        self._known: dict[int, StoredFrame] = {}
        self._created = ""

    def earliest(self) -> int:
        at = self._state()
        return self._frame(at.first).first if at else 0

    def end(self) -> int:
        at = self._state()
        return self._frame(at.last).end if at else 0

    def read(self, start: int, stop: int, near: SeekPoint | None) -> Iterator[pa.RecordBatch]:
        return gathered(self._slices(start, stop, near))

    def seek_point(self, position: int, near: SeekPoint | None) -> SeekPoint | None:
        at = self._state()
        if at is None:
            return near
        found = self._holding(position, at, near)
        return SeekPoint(found.first, found.sequence, 0)

    def bounded_end(self, start: int, stop: int, most_bytes: int, near: SeekPoint | None) -> int:
        at = self._state()
        if at is None or start >= stop:
            return stop
        begin, last = self._holding(start, at, near), self._holding(stop - 1, at, near)
        before = begin.through - begin.size

        def is_too_much(frame: StoredFrame) -> bool:
            return frame.through - before > most_bytes and frame.first > start

        if not is_too_much(last):
            return stop
        return self._first(begin.sequence, last.sequence, is_too_much).first

    def ranges(self, start: int, stop: int) -> list[range]:
        parts, stop = list[range](), min(stop, self.end())
        while start < stop:
            cut = self.bounded_end(start, stop, PART_BYTES, None)
            parts.append(range(start, cut))
            start = cut
        return parts

    def first_received(self, at_ms: int) -> int:
        at = self._state()
        if at is None:
            return 0
        if (last := self._frame(at.last)).received < at_ms:
            return last.end
        found = self._first(at.first, at.last, lambda frame: frame.received >= at_ms)
        received = self._rows(found)["received"].to_pylist() if found.rows else []
        before = (number for number, moment in enumerate(received) if moment >= at_ms)
        return found.first + next(before, 0)

    def size(self) -> int:
        at = self._state()
        return at.size if at else 0

    def trim(self, retention: LogRetention, now_ms: int) -> int:
        """Up to a frame; the last one stays, because it says where the log goes on."""
        at, before = self._state(), self.earliest()
        if at is None:
            return 0
        safe = self._needed_by_nobody()
        if safe <= before:
            return 0
        newest = self._frame(at.last)

        def is_kept(frame: StoredFrame) -> bool:
            old = retention.max_age_ms is not None and now_ms - frame.at_ms > retention.max_age_ms
            behind = newest.through - frame.through + frame.size
            large = retention.max_bytes is not None and behind > retention.max_bytes
            return frame.sequence == at.last or frame.end > safe or not (old or large)

        first = self._first(at.first, at.last, is_kept)
        if first.sequence > at.first:
            self._client.api(f"STREAM.PURGE.{self._address.stream}", {"seq": first.sequence})
            self._known = {seq: one for seq, one in self._known.items() if seq >= first.sequence}
        return first.first - before

    def commit(self, consumer: str, position: int) -> None:
        self._notes.commit(consumer, position)

    def committed(self) -> dict[str, int]:
        return self._notes.committed()

    def keep(self, name: str, text: str) -> None:
        self._notes.keep(name, text)

    def kept(self, name: str) -> str | None:
        return self._notes.kept(name)

    def _needed_by_nobody(self) -> int:
        """Up to where. The hub is a consumer that cannot speak for itself; cut off, it needs the rest."""
        if self._upstream is not None and (end := self._upstream.end()) is not None:
            self.commit(CONSUMER, end)
        known = self.committed()
        waits = self._upstream is not None and CONSUMER not in known
        return 0 if waits else min(known.values(), default=0)

    def _state(self) -> StreamState | None:
        """None if nothing was ever written."""
        found = state(self._client, self._address.stream)
        if found is None or not found.messages:
            return None
        if found.created != self._created:
            self._created, self._known = found.created, {}
        return found

    def _frame(self, sequence: int) -> StoredFrame:
        known = self._known.get(sequence)
        return self._fetched(sequence)[0] if known is None else known

    def _rows(self, frame: StoredFrame) -> pa.RecordBatch:
        return rows_of(self._address, *self._fetched(frame.sequence))

    def _fetched(self, sequence: int) -> tuple[StoredFrame, bytes]:
        backoff, until = Backoff(0.02, 0.5), time.monotonic() + REPLICA_S
        while not (found := self._client.direct(self._address.stream, {"seq": sequence})):
            at = self._state()
            if at is not None and sequence < at.first:
                first = self._frame(at.first).first
                raise LogTrimmedError(self._address, max(0, first - 1), first)
            if time.monotonic() > until or self._client.message(self._address.stream, sequence) is None:
                raise StreamDamagedError(self._address, sequence, "it is missing")
            time.sleep(backoff.next_s())
        frame = placed(self._address, found[0])
        self._remember(frame)
        return frame, found[0].data

    def _remember(self, frame: StoredFrame) -> None:
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[frame.sequence] = frame

    def _holding(self, position: int, at: StreamState, near: SeekPoint | None) -> StoredFrame:
        """The last frame that begins at or before the position."""
        first = self._frame(at.first)
        if position < first.first:
            raise LogTrimmedError(self._address, position, first.first)
        low = self._near(at, position, near) or at.first
        after = self._frame(at.last)
        if after.first <= position:
            return after
        found = self._first(low, at.last, lambda frame: frame.first > position)
        return self._frame(found.sequence - 1)

    def _near(self, at: StreamState, position: int, near: SeekPoint | None) -> int | None:
        """Where it says, if that is a place of this stream still."""
        if near is None or near.position > position or not at.first <= near.segment <= at.last:
            return None
        return near.segment if self._frame(near.segment).first == near.position else None

    def _first(self, low: int, high: int, holds: Callable[[StoredFrame], bool]) -> StoredFrame:
        """The first frame for which it holds, which it does for the last one."""
        while low < high:
            middle = (low + high) // 2
            if holds(self._frame(middle)):
                high = middle
            else:
                low = middle + 1
        return self._frame(low)

    def _slices(self, start: int, stop: int, near: SeekPoint | None) -> Iterator[pa.RecordBatch]:
        at = self._state()
        if at is None or start >= stop:
            return
        begin = self._holding(start, at, near)
        expected = begin.first
        for frame, data in self._frames(begin.sequence, at.last):
            if frame.first != expected:
                if start < (earliest := self.earliest()):
                    raise LogTrimmedError(self._address, expected, earliest)
                raise StreamDamagedError(self._address, frame.sequence, "frames before it are missing")
            if frame.first >= stop:
                return
            expected = frame.end
            if frame.rows and frame.end > start:
                low, high = max(start, frame.first), min(stop, frame.end)
                yield rows_of(self._address, frame, data).slice(low - frame.first, high - low)

    def _frames(self, sequence: int, last: int) -> Iterator[tuple[StoredFrame, bytes]]:
        """More at once the more are wanted: a single row costs a single frame."""
        count = 1
        while sequence <= last:
            asked = {"seq": sequence, "batch": count, "max_bytes": ANSWER_BYTES}
            replies = self._client.direct(self._address.stream, asked)
            if not replies:
                self._fetched(sequence)  # waits for it, or says why it does not come
            for reply in replies:
                found = placed(self._address, reply)
                self._remember(found)
                yield found, reply.data
                sequence = found.sequence + 1
            count = min(4 * count, BATCH_FRAMES)
