"""Decodes one message: its rows, and what in it could not be read."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from app.ingest.payloads import values
from app.ingest.payloads.fields import PayloadOrigin, UnreadableError, compact, name, shown
from app.ingest.payloads.formats import FORMATS, WILL, Decoder
from app.ingest.payloads.routes import DEFAULT, Route, find
from app.log.row import Row, status_row

MAX_PAYLOAD = 1 << 20


@dataclass(frozen=True, slots=True)
class Rejected:
    """The part of a message that could not be read; published again, it is tried again."""

    payload: bytes
    reason: str


@dataclass(slots=True)
class Decoded:
    rows: list[Row] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)


def decode(topic: str, payload: bytes, received: int, routes: tuple[Route, ...] = DEFAULT) -> Decoded:
    """The rows of a message and what in it could not be read; it raises nothing, whatever the bytes are."""
    try:
        chosen, reader = find(routes, topic)
        origin = PayloadOrigin(topic, name(reader, "reader, from the topic"), received)
        text = _text(payload)
    except UnreadableError as error:
        return Decoded(rejected=[Rejected(payload, str(error))])
    if chosen == WILL:
        return Decoded([_last_will(text, origin)])
    return _decode_values(values.parse(text), FORMATS[chosen], origin, payload)


def _text(payload: bytes) -> str:
    if not payload:
        raise UnreadableError("empty payload")
    if len(payload) > MAX_PAYLOAD:
        raise UnreadableError(f"{len(payload)} bytes are more than the limit of {MAX_PAYLOAD}")
    try:
        return payload.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"not UTF-8 at byte {error.start}") from None


def _decode_values(parsed: values.Values, decoder: Decoder, origin: PayloadOrigin, payload: bytes) -> Decoded:
    result = Decoded()
    whole = len(parsed.values) == 1 and not parsed.rest
    for value in parsed.values:
        try:
            result.rows += _rows(value, decoder, origin)
        except UnreadableError as error:
            result.rejected.append(Rejected(payload if whole else _part(value, payload), str(error)))
    if parsed.rest:
        result.rejected.append(Rejected(parsed.rest.encode(), parsed.reason))
    if not result.rows and not result.rejected:
        result.rejected.append(Rejected(payload, "an empty array or blank text"))
    return result


def _part(value: object, payload: bytes) -> bytes:
    """The one value that could not be read, so that its neighbours are not read again with it."""
    try:
        return json.dumps(value).encode()
    except RecursionError:
        return payload


def _rows(value: object, decoder: Decoder, origin: PayloadOrigin) -> list[Row]:
    if not isinstance(value, dict):
        raise UnreadableError(f"not a JSON object: {shown(value)}")
    return decoder(value, origin)


def _last_will(text: str, origin: PayloadOrigin) -> Row:
    """The broker publishes a reader's last will when the reader is gone; its text is the reader's own."""
    detail = compact({"status": "offline", "text": text[:500]})
    return status_row(origin.reader, origin.received, origin.received, detail, topic=origin.topic)
