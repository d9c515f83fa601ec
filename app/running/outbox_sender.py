"""Publishes the store's outbox over MQTT, at least once: alerts, detectors' switches, staged incidents."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from threading import Event, Thread

import sqlalchemy as sa

from app import store
from app.clock import now_ms
from app.mqtt import publish
from app.mqtt.broker import Broker
from app.mqtt.publish import Publication, PublishError
from app.store import Message

POLL_SECONDS = 0.2
LONGEST_PAUSE = 10.0
_log = logging.getLogger(__name__)


class Outgoing:
    """A thread that sends what waits. What was not acknowledged is sent again: receivers go by the id."""

    def __init__(self, engine: sa.Engine, broker: Broker, stop: Event) -> None:
        self._engine, self._broker, self._stop = engine, broker, stop
        self._thread = Thread(target=self._run, name="outgoing", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def join(self) -> None:
        self._thread.join(LONGEST_PAUSE)

    def _run(self) -> None:
        pause = POLL_SECONDS
        while not self._stop.wait(pause):
            try:
                self.send_waiting()
                pause = POLL_SECONDS
            except (OSError, PublishError, sa.exc.OperationalError) as error:
                pause = min(LONGEST_PAUSE, pause * 2)
                _log.warning("Alerts wait to be sent, trying again in %.1f s: %s", pause, _reason(error))

    def send_waiting(self) -> int:
        """Send one group and mark it; how many there were."""
        waiting = store.unsent(self._engine)
        if waiting:
            publish.send(self._broker, _publications(waiting))
            store.mark_sent(self._engine, [message.number for message in waiting], now_ms())
        return len(waiting)


def _publications(messages: Sequence[Message]) -> list[Publication]:
    return [Publication(message.topic, message.payload, None) for message in messages]


def _reason(error: Exception) -> object:
    return error.orig if isinstance(error, sa.exc.OperationalError) else error
