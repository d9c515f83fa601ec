"""Appends to a log that is a stream: one frame in flight, sent again until it is acknowledged, stored once.

Every frame names the sequence that it follows. So it is stored once however often it is sent, and a writer
that another one has followed can add nothing more."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator
from threading import Event

import pyarrow as pa
import pyarrow.compute as pc

from app.backoff import Backoff
from app.lock import lock
from app.log.errors import LogBusyError, LogError, LogUnreachableError, StreamDamagedError
from app.log.jetstream.client import WRONG_SEQUENCE, Client, StreamRefusedError
from app.log.jetstream.frame import (
    BESIDE_BYTES,
    EXPECTED,
    FrameId,
    StoredFrame,
    encoded,
    headers,
    placed_by_leader,
)
from app.log.jetstream.streams import ensure, state
from app.log_address import StreamAddress

# A dead letter is a row of one message, which may have as much as this.
LEAST_PAYLOAD = 2 << 20
HEADERS_BYTES = 4_096
SEND_AGAIN_S, SEND_AGAIN_LONGEST_S = 0.1, 5.0
# So often a stream may say that it ends elsewhere than we know before that is taken for the truth: after a
# change of leaders it may be a moment behind.
ASKED_AGAIN = 20
_log = logging.getLogger(__name__)


class StreamWriter:
    """The stream's one writer; opening it ends the one before."""

    repair = None  # a stream has no torn end

    def __init__(self, address: StreamAddress, first: int = 0) -> None:
        """`first` is the position at which a stream begins that does not exist yet."""
        self._address, self._client = address, Client(address)
        self._given_up = Event()
        self._lock = _lock(address)
        try:
            self._most = self._client.patiently(lambda link: link.most_bytes)
            if self._most < LEAST_PAYLOAD:
                raise LogError(
                    f"{address}: the server takes {self._most} bytes at most: set max_payload: 8MB"
                )
            self._open(first)
        except BaseException:
            self.close()
            raise

    @property
    def position(self) -> int:
        """Where the next row will be."""
        return self._position

    def append(self, batch: pa.RecordBatch) -> int:
        """Return when the rows are stored; their first position. Waits as long as it takes: what was sent may
        be there although nobody says so. More than the server takes at once goes in parts, and a crash
        between them leaves the first ones."""
        first = self._position
        for part, data in self._parts(batch):
            received = _received(part)
            self._store(part.num_rows, data, received)
        return first

    def give_up(self) -> None:
        """Let a waiting `append` fail with an OSError; the next writer sees what has come of it."""
        self._given_up.set()

    def close(self) -> None:
        self._client.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _open(self, first: int) -> None:
        """Go on after the last frame, and with a frame without rows make sure that nothing more can follow
        it that an earlier writer had sent."""
        ensure(self._client, self._address, self._address.subject)
        for _ in range(ASKED_AGAIN):
            last = self._last()
            self._sequence = last.sequence if last else self._empty_at()
            self._position = last.end if last else first
            self._through, self._received = (last.through, last.received) if last else (0, 0)
            self._id = FrameId(self._address.stream, secrets.randbits(48), -1)
            try:
                self._store(0, b"", 0)
                return
            except LogBusyError:  # a frame has come in just now: after that one, then
                continue
        raise LogBusyError(self._address)

    def _last(self) -> StoredFrame | None:
        """As the stream's leader knows it: a replica might be behind."""
        at = state(self._client, self._address.stream)
        if at is None or not at.messages:
            return None
        found = self._client.message(self._address.stream, at.last)
        if found is None:
            raise StreamDamagedError(self._address, at.last, "it is missing")
        return placed_by_leader(self._address, found)

    def _empty_at(self) -> int:
        at = state(self._client, self._address.stream)
        return at.last if at else 0

    def _parts(self, batch: pa.RecordBatch) -> Iterator[tuple[pa.RecordBatch, bytes]]:
        data = encoded(batch)
        if len(data) + HEADERS_BYTES <= self._most or batch.num_rows <= 1:
            yield batch, data
            return
        half = batch.num_rows // 2
        yield from self._parts(batch.slice(0, half))
        yield from self._parts(batch.slice(half))

    def _store(self, rows: int, data: bytes, received: int) -> None:
        who = FrameId(self._id.site, self._id.epoch, self._id.number + 1)
        through, received = self._through + len(data) + BESIDE_BYTES, max(self._received, received)
        place = headers(who, self._position, rows, through, received) | {EXPECTED: str(self._sequence)}
        self._sequence = self._acknowledged(who, data, place)
        self._id, self._through, self._received = who, through, received
        self._position += rows

    def _acknowledged(self, who: FrameId, data: bytes, place: dict[str, str]) -> int:
        """The sequence of the frame, as soon as it has one."""
        backoff, doubts = Backoff(SEND_AGAIN_S, SEND_AGAIN_LONGEST_S), 0
        while not self._given_up.is_set():
            try:
                return self._sent(data, place)
            except (OSError, StreamRefusedError) as error:
                if isinstance(error, StreamRefusedError) and error.code == WRONG_SEQUENCE:
                    if (stored := self._stored(who)) is not None:
                        return stored
                    doubts += 1
                    if doubts >= ASKED_AGAIN:
                        raise StreamDamagedError(self._address, self._sequence, "it is gone") from None
                pause_s = backoff.next_s()
                _log.warning("%s: %s. Trying again in %.1f s.", self._address, error, pause_s)
                self._given_up.wait(pause_s)
        raise InterruptedError(f"{self._address} has not acknowledged what was sent")

    def _sent(self, data: bytes, place: dict[str, str]) -> int:
        subject = self._address.subject
        answer = self._client.once(lambda link: self._client.read(link.request(subject, data, place)))
        return int(answer["seq"])

    def _stored(self, who: FrameId) -> int | None:
        """Its sequence if an attempt has stored it whose acknowledgement was lost; LogBusyError if the stream
        has gone on with what somebody else has written."""
        try:
            last = self._last()
        except LogUnreachableError:
            return None
        if last is None or last.sequence <= self._sequence:
            return None
        if last.id != who:
            raise LogBusyError(self._address)
        return last.sequence


def _received(batch: pa.RecordBatch) -> int:
    return int(pc.max(batch["received"]).as_py() or 0) if "received" in batch.schema.names else 0


def _lock(address: StreamAddress) -> int | None:
    """On one machine the second writer is refused, as with a folder."""
    if address.local is None:
        return None
    address.local.mkdir(parents=True, exist_ok=True)
    try:
        return lock(address.local / (f"{address.part}.lock" if address.part else "lock"))
    except BlockingIOError:
        raise LogBusyError(address) from None
