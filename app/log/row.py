"""The row of the log: a reading, a reader's status or clock, a command or a heartbeat; its Arrow schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal, NamedTuple

import pyarrow as pa

from app.log.by_position import STAMP
from app.log.interface import POSITION

Kind = Literal["reading", "barcode", "motion", "guess", "leak", "status", "heartbeat", "control", "clock"]
# What sensors have seen: a tag by radio, a barcode (it stands where else the tag stands), somebody who moves,
# somebody of whom a camera guesses who it is, water. `detail` has the guess, and where the move went.
SENSED: tuple[Kind, ...] = ("reading", "barcode", "motion", "guess", "leak")


class Row(NamedTuple):
    """A tuple rather than a dataclass: a group of them transposes to Arrow columns at C speed."""

    kind: Kind
    reader: str
    antenna: int
    tag: str
    ts: int
    rssi: float | None
    seq: int | None
    detail: str | None
    received: int
    topic: str
    stamp: int | None = None  # what the reader's own clock said, where `ts` is something else


STORED_SCHEMA = pa.schema(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("reader", pa.string(), nullable=False),
        pa.field("antenna", pa.int32(), nullable=False),
        pa.field("tag", pa.string(), nullable=False),
        pa.field("ts", pa.int64(), nullable=False),
        ("rssi", pa.float64()),
        ("seq", pa.int64()),
        ("detail", pa.string()),
        pa.field("received", pa.int64(), nullable=False),
        pa.field("topic", pa.string(), nullable=False),
        STAMP,
    ]
)

# The position is not stored with the rows: where a row stands in the log is its position.
ROW_SCHEMA = pa.schema([POSITION, *STORED_SCHEMA])


def to_batch(rows: Sequence[Row]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, STORED_SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=STORED_SCHEMA)


def reading_row(
    reader: str,
    antenna: int,
    tag: str,
    ts: int,
    received: int,
    *,
    rssi: float | None,
    seq: int | None,
    topic: str,
) -> Row:
    return Row("reading", reader, antenna, tag, ts, rssi, seq, None, received, topic)


def sensed_row(
    kind: Kind,
    reader: str,
    code: str,
    ts: int,
    received: int,
    *,
    seq: int | None,
    topic: str,
    detail: str | None = None,
) -> Row:
    """What a sensor without antennas has seen; `code` is empty where it only knows that somebody moves."""
    return Row(kind, reader, 0, code, ts, None, seq, detail, received, topic)


def status_row(reader: str, ts: int, received: int, detail: str, *, topic: str = "", antenna: int = 0) -> Row:
    """What a reader, or ingest on its behalf, says about itself; `detail` is a JSON object with `status`."""
    return Row("status", reader, antenna, "", ts, None, None, detail, received, topic)


def control_row(ts: int, detail: str, topic: str = "") -> Row:
    """A command to those who read the log; where it stands in the log says from which reading on it holds."""
    return Row("control", "", 0, "", ts, None, None, detail, ts, topic)


def clock_row(reader: str, ts: int, received: int, offset_ms: int, jumps: int) -> Row:
    """How far a reader's clock is ahead, as soon as that is known and whenever it changes."""
    detail = json.dumps({"offset_ms": offset_ms, "clock_jumps": jumps})
    return Row("clock", reader, 0, "", ts, None, None, detail, received, "")


def heartbeat_row(ts: int, received: int, detail: str | None = None) -> Row:
    """Up to `ts` nothing more is to come: time may pass for those who read the log."""
    return Row("heartbeat", "", 0, "", ts, None, None, detail, received, "")
