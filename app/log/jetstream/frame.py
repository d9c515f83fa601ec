"""A frame of the log as a message: rows with their schema in Arrow's format, and in the headers their place.

A frame says everything about itself, so that a stream that sources another one needs nothing else."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import pyarrow as pa

from app.log.errors import StreamDamagedError
from app.log.interface import POSITION
from app.log.jetstream.connection import Reply

ID = "Nats-Msg-Id"
EXPECTED = "Nats-Expected-Last-Sequence"
_FIRST, _ROWS, _BYTES, _RECEIVED = "Vigil-First", "Vigil-Rows", "Vigil-Bytes", "Vigil-Received"
BESIDE_BYTES = 320  # what a message takes in the server's files beside its data, about
_SEQUENCE, _TIME = "Nats-Sequence", "Nats-Time-Stamp"


@dataclass(frozen=True, slots=True)
class FrameId:
    """Who has written a frame: a writer of the stream, by a number that no other has, and its own count."""

    site: str
    epoch: int
    number: int

    def __str__(self) -> str:
        return f"{self.site}-{self.epoch}-{self.number}"


@dataclass(frozen=True, slots=True)
class StoredFrame:
    """The place of a frame, without its rows. `through` are the bytes of all frames up to its end, since the
    stream began, and `received` when the newest row up to there came in: how much lies between two frames,
    and when, is known without reading it. `at_ms` is when the server got it."""

    sequence: int
    first: int
    rows: int
    size: int
    through: int
    received: int
    at_ms: int
    id: FrameId

    @property
    def end(self) -> int:
        return self.first + self.rows


def headers(who: FrameId, first: int, rows: int, through: int, received: int) -> dict[str, str]:
    place = {_FIRST: first, _ROWS: rows, _BYTES: through, _RECEIVED: received}
    return {ID: str(who), **{name: str(value) for name, value in place.items()}}


def encoded(batch: pa.RecordBatch) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue())


def rows_of(where: object, frame: StoredFrame, data: bytes) -> pa.RecordBatch:
    """With their positions in front."""
    try:
        [batch] = pa.ipc.open_stream(pa.py_buffer(data))
    except (pa.ArrowException, ValueError):
        raise StreamDamagedError(where, frame.sequence, "its rows cannot be read") from None
    if batch.num_rows != frame.rows:
        raise StreamDamagedError(where, frame.sequence, "its rows are not as many as it says")
    return batch.add_column(0, POSITION, pa.array(np.arange(frame.first, frame.end)))


def placed(where: object, reply: Reply) -> StoredFrame:
    """The frame of a message that was asked for directly."""
    named = reply.headers
    return _placed(where, named, int(named[_SEQUENCE]), named[_TIME], len(reply.data))


def placed_by_leader(where: object, message: Mapping[str, Any]) -> StoredFrame:
    """The frame of a message as a stream's leader tells it."""
    raw = base64.b64decode(message.get("hdrs", "")).decode("utf-8", "replace").split("\r\n")[1:]
    pairs = (line.partition(":") for line in raw if line)
    named = {name: value.strip() for name, _, value in pairs}
    size = len(base64.b64decode(message.get("data", "")))
    return _placed(where, named, int(message["seq"]), message["time"], size)


def _placed(where: object, named: Mapping[str, str], sequence: int, time: str, size: int) -> StoredFrame:
    try:
        first, rows, through, received = (int(named[name]) for name in (_FIRST, _ROWS, _BYTES, _RECEIVED))
        site, epoch, number = named[ID].rsplit("-", 2)
        who = FrameId(site, int(epoch), int(number))
    except (KeyError, ValueError):
        raise StreamDamagedError(where, sequence, "it is no frame of Vigil's") from None
    return StoredFrame(sequence, first, rows, size + BESIDE_BYTES, through, received, _moment(time), who)


def _moment(text: str) -> int:
    """Go writes nanoseconds, as many digits as it takes."""
    seconds, _, fraction = text.removesuffix("Z").partition(".")
    whole = datetime.fromisoformat(f"{seconds}+00:00").timestamp()
    return int(whole) * 1000 + int(fraction[:3].ljust(3, "0"))
