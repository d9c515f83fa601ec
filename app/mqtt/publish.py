"""Sends messages to a broker and knows when it has acknowledged them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Semaphore
from typing import Any

from paho.mqtt.reasoncodes import ReasonCode

from app.mqtt.broker import Broker, connect, new_client

ACKNOWLEDGED_S = 30.0
WAITING = 500


class PublishError(Exception):
    """A file that cannot be sent, or a broker that does not take it."""


@dataclass(frozen=True, slots=True)
class Publication:
    topic: str
    payload: dict[str, Any] | str
    ts: int | None

    def encoded(self) -> bytes:
        return (self.payload if isinstance(self.payload, str) else json.dumps(self.payload)).encode()


def send(
    broker: Broker, publications: Iterable[Publication], sent: Callable[[], None] = lambda: None
) -> None:
    """Publish at QoS 1 and return when the broker has acknowledged everything."""
    publisher = new_client(broker, f"vigil-publish-{uuid.uuid4().hex[:8]}", 4)
    publisher.max_inflight_messages_set(WAITING)
    answers: SimpleQueue[ReasonCode] = SimpleQueue()
    publisher.on_connect = lambda _client, _data, _flags, reason, _rest: answers.put(reason)
    # Counted by acknowledgements: what is published while the broker is away is sent when it is back.
    room = Semaphore(WAITING)
    publisher.on_publish = lambda *_: room.release()
    connect(publisher, broker, 4)
    publisher.loop_start()
    try:
        _accepted(broker, answers)
        for each in publications:
            _await_room(broker, room)
            publisher.publish(each.topic, each.encoded(), qos=1)
            sent()
        for _ in range(WAITING):
            _await_room(broker, room)
        publisher.disconnect()
    finally:
        publisher.loop_stop()


def _accepted(broker: Broker, answers: SimpleQueue[ReasonCode]) -> None:
    try:
        reason = answers.get(timeout=ACKNOWLEDGED_S)
    except Empty:
        raise PublishError(f"{broker.url} has not answered for {ACKNOWLEDGED_S:.0f} s") from None
    if reason.is_failure:
        raise PublishError(f"{broker.url} refuses the connection: {reason}")


def _await_room(broker: Broker, room: Semaphore) -> None:
    if not room.acquire(timeout=ACKNOWLEDGED_S):
        raise PublishError(f"{broker.url} has not acknowledged a message for {ACKNOWLEDGED_S:.0f} s")
