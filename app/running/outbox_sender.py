"""Hands the store's outbox to every outgoing channel, at least once."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from threading import Event, Thread

import sqlalchemy as sa

from app import store
from app.backoff import Backoff
from app.clock import now_ms
from app.running.channels.channel import Channel, ChannelError, RefusedMessagesError
from app.store import Aside, OutboxMessage

POLL_SECONDS = 0.2
LONGEST_PAUSE = 10.0
NOT_SENT = "unsent"  # as it is called among what was set aside
_log = logging.getLogger(__name__)


class OutboxSender:
    """A thread that sends what waits. What was not acknowledged is sent again: receivers go by the id."""

    def __init__(self, engine: sa.Engine, channels: Sequence[Channel], stop: Event) -> None:
        self._engine, self._channels, self._stop = engine, channels, stop
        # What a channel has taken while another has not: the store knows only what all have.
        self._taken: defaultdict[str, set[int]] = defaultdict(set)
        self._thread = Thread(target=self._run, name="outgoing", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def join(self) -> None:
        self._thread.join(LONGEST_PAUSE)

    def _run(self) -> None:
        pause, pauses = POLL_SECONDS, Backoff(2 * POLL_SECONDS, LONGEST_PAUSE)
        while not self._stop.wait(pause):
            try:
                self.send_waiting()
                pause = POLL_SECONDS
                pauses.reset()
            except (ChannelError, sa.exc.SQLAlchemyError) as error:
                pause = pauses.next_s()
                _log.warning("Alerts wait to be sent, trying again in %.1f s: %s", pause, _reason(error))

    def send_waiting(self) -> int:
        """Send one group and mark it; how many there were."""
        waiting = store.unsent(self._engine)
        refused = [error for channel in self._channels if (error := self._offer(channel, waiting))]
        if refused:
            raise refused[0]
        if waiting:
            store.mark_sent(self._engine, [message.number for message in waiting], now_ms())
            self._taken.clear()
        return len(waiting)

    def _offer(self, channel: Channel, waiting: Sequence[OutboxMessage]) -> ChannelError | None:
        """Give a channel what it has not taken yet; one that is away keeps nothing from the others."""
        taken = self._taken[channel.name]
        new = [message for message in waiting if message.number not in taken]
        try:
            if new:
                channel.send(new)
        except ChannelError as error:
            return error
        except RefusedMessagesError as error:
            self._put_aside(error)
        taken.update(message.number for message in new)
        return None

    def _put_aside(self, error: RefusedMessagesError) -> None:
        """What will never be taken must not hold up what comes after it; Health shows it."""
        _log.warning("%s", error)
        rows = [
            Aside(f"outbox {one.number}", NOT_SENT, now_ms(), one.topic, reason, one.payload)
            for one, reason in error.refused
        ]
        store.record_aside(self._engine, rows)


def _reason(error: Exception) -> object:
    return error.orig if isinstance(error, sa.exc.DBAPIError) else error
