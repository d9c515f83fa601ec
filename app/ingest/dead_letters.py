"""What could not be read, kept with its topic and the reason until it can be."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from app import log
from app.ingest.payloads import MAX_PAYLOAD, Rejected
from app.log import Appender, LogAddress
from app.log.row import Row, control_row

FOLDER = "dead-letters"
REPLAYED = "dead-letters-replayed"
PORTION_BYTES = 16 << 20  # of letters that are tried again at once
SETTLED = f"{REPLAYED}.json"

_SCHEMA = pa.schema(
    [
        pa.field("topic", pa.string(), nullable=False),
        pa.field("payload", pa.binary(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("received", pa.int64(), nullable=False),
    ]
)


class Letter(NamedTuple):
    topic: str
    payload: bytes
    reason: str
    received: int


@dataclass(frozen=True, slots=True)
class PendingLetter:
    """A letter that no replay has brought into the log yet."""

    position: int
    letter: Letter


def letter(topic: str, rejected: Rejected, received: int) -> Letter:
    payload, reason = rejected.payload, rejected.reason
    if len(payload) > MAX_PAYLOAD:
        payload, reason = payload[:MAX_PAYLOAD], f"{reason}; only the first {MAX_PAYLOAD} are kept"
    return Letter(topic, payload, reason, received)


def key(entry: Letter) -> int:
    return hash((entry.topic, entry.payload))


def open_writer(of: LogAddress) -> Appender:
    return log.open_writer(log.beside(of, FOLDER), _SCHEMA)


def append(writer: Appender, letters: Sequence[Letter]) -> None:
    columns = zip(*letters, strict=True)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, _SCHEMA, strict=True)]
    writer.append(pa.RecordBatch.from_arrays(arrays, schema=_SCHEMA))


def recent(of: LogAddress, count: int) -> Iterator[Letter]:
    for batch in log.tail(log.beside(of, FOLDER), count):
        yield from (Letter(*tuple(row.values())[1:]) for row in batch.to_pylist())


def pending(of: LogAddress) -> Iterator[PendingLetter]:
    """The letters that still wait for a fix, oldest first; read as they are asked for: they may be large."""
    letters_log = log.beside(of, FOLDER)
    done = _replayed(of)
    batches = log.read(letters_log, log.earliest(letters_log), log.end(letters_log))
    rows = (row for batch in batches for row in batch.to_pylist())
    letters = (PendingLetter(row.pop("position"), Letter(**row)) for row in rows)
    return (waiting for waiting in letters if waiting.position not in done)


def in_portions(letters: Iterable[PendingLetter]) -> Iterator[list[PendingLetter]]:
    """As many at once as fit into some megabytes, at least one."""
    portion, size = list[PendingLetter](), 0
    for waiting in letters:
        if portion and size + len(waiting.letter.payload) > PORTION_BYTES:
            yield portion
            portion, size = [], 0
        portion.append(waiting)
        size += len(waiting.letter.payload)
    if portion:
        yield portion


def replayed_mark(letters: Iterable[PendingLetter], now_ms: int) -> Row:
    """Goes to the log in one piece with the rows made of the letters: both are there, or neither."""
    positions = [waiting.position for waiting in letters]
    return control_row(now_ms, json.dumps({"command": REPLAYED, "letters": positions}))


def settle(of: LogAddress) -> None:
    """Keep the marks beside the letters, where retention of the log does not reach them."""
    done, through = sorted(_replayed(of)), log.end(of)
    log.keep(log.beside(of, FOLDER), SETTLED, json.dumps({"letters": done, "through": through}))


def _replayed(of: LogAddress) -> set[int]:
    known = json.loads(log.kept(log.beside(of, FOLDER), SETTLED) or '{"letters": [], "through": 0}')
    done: set[int] = set(known["letters"])
    for batch in log.read(of, max(known["through"], log.earliest(of)), log.end(of)):
        # Commands from outside carry their topic: nobody can forge a mark.
        own = pc.and_(pc.equal(batch["kind"], "control"), pc.equal(batch["topic"], ""))
        for detail in batch.filter(own)["detail"].to_pylist():
            done.update(json.loads(detail)["letters"])
    return done
