"""What an outgoing channel is: something that takes the outbox's messages to the world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.store import OutboxMessage


class ChannelError(Exception):
    """The channel could not take the messages; the text says why, and they are offered again."""


class RefusedMessagesError(Exception):
    """These messages will never be taken, each with the reason; all others of the group were."""

    def __init__(self, refused: Sequence[tuple[OutboxMessage, str]]) -> None:
        super().__init__(f"{len(refused)} messages were refused: {refused[0][1]}")
        self.refused = tuple(refused)


class Channel(Protocol):
    """Takes messages in order; one that is not for it (`vigil/control` is none for a mail) it leaves out.

    What it raises ChannelError for comes again, perhaps after a restart: receivers go by an alert's id. What
    it refuses (RefusedMessagesError) is put aside, so that it does not hold up the rest."""

    @property
    def name(self) -> str: ...
    def send(self, messages: Sequence[OutboxMessage]) -> None: ...
