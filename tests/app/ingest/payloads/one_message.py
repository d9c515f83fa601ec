"""A message of a reader, decoded: what the tests of payloads share."""

from __future__ import annotations

import json

from app.ingest import payloads
from app.ingest.payloads import Route
from app.log.row import Row

NOW = 1_786_612_500_000  # 2026-08-13T09:15:00Z
SGTIN = "3034257BF400B7800004CB2F"


def decode(payload: object, topic: str = "site/r7/events", form: str = "auto") -> payloads.Decoded:
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return payloads.decode(topic, raw, NOW, (Route("site/+/events", form),))


def only(payload: object, topic: str = "site/r7/events", form: str = "auto") -> Row:
    decoded = decode(payload, topic, form)
    assert decoded.rejected == []
    [row] = decoded.rows
    return row


def reasons(payload: object, form: str = "auto") -> list[str]:
    return [part.reason for part in decode(payload, form=form).rejected]
