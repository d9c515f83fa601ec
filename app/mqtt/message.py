"""A message as it came over MQTT."""

from __future__ import annotations

from typing import NamedTuple


class Message(NamedTuple):
    """`repeated`: the broker may have delivered it before (redelivered or retained)."""

    topic: str
    payload: bytes
    repeated: bool = False
