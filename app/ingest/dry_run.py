"""Shows what would become of messages, pasted or on the wire, without keeping anything."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from app.ingest import payloads
from app.ingest.payloads import Rejected, Route
from app.ingest.payloads.epc import sgtin_96
from app.log.row import SENSED, Row
from app.mqtt.message import Message
from app.mqtt.topics import READINGS

PASTED = f"{READINGS}/pasted"


def pasted(text: str) -> list[Message]:
    """JSON as it comes, or lines of a topic and a payload as `mosquitto_sub -v` prints them."""
    if text.lstrip()[:1] in ("{", "["):
        return [Message(PASTED, text.encode())]
    lines = [line.partition(" ") for line in text.splitlines() if line.strip()]
    return [Message(topic, payload.encode()) for topic, _, payload in lines]


def explain(message: Message, routes: tuple[Route, ...], now_ms: int) -> Iterator[str]:
    """A line for the message and one for each thing that it holds."""
    decoded = payloads.decode(message.topic, message.payload, now_ms, routes)
    yield f"{message.topic}: {len(message.payload)} bytes"
    yield from (f"  {_row(row)}" for row in decoded.rows)
    yield from (f"  dead letter: {_rejected(part)}" for part in decoded.rejected)


def _row(row: Row) -> str:
    moment = datetime.fromtimestamp(row.ts / 1000, UTC).isoformat(timespec="milliseconds")
    if row.kind not in SENSED:
        return f"{row.kind} {row.reader} at {moment}: {row.detail}"
    numbers = [
        f"{name} {value}" for name, value in (("rssi", row.rssi), ("seq", row.seq)) if value is not None
    ]
    return ", ".join([f"{_seen(row)} at {moment}", *numbers, *_code(row)])


def _seen(row: Row) -> str:
    if row.kind == "reading":
        return f"reading {row.reader} antenna {row.antenna} tag {row.tag}"
    return f"{row.kind} {row.reader} {row.tag}".rstrip()


def _code(row: Row) -> list[str]:
    sgtin = sgtin_96(row.tag) if row.kind == "reading" else None
    return [f"sgtin-96 {'.'.join(sgtin)}"] if sgtin else []


def _rejected(part: Rejected) -> str:
    return f"{part.reason} <- {part.payload[:80]!a}"
