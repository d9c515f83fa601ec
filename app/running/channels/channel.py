"""What an outgoing channel is: something that takes the outbox's messages to the world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.store import OutboxMessage


class ChannelError(Exception):
    """The channel could not take the messages; the text says why, and they are offered again."""


class Channel(Protocol):
    """Takes messages in order; one that is not for it (`vigil/control` is none for a mail) it leaves out.

    What it raises ChannelError for comes again, perhaps after a restart: receivers go by an alert's id."""

    @property
    def name(self) -> str: ...
    def send(self, messages: Sequence[OutboxMessage]) -> None: ...
