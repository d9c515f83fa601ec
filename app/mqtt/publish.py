"""Sends messages to a broker and knows when it has acknowledged them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Semaphore
from typing import Any

from paho.mqtt import client as mqtt
from paho.mqtt.reasoncodes import ReasonCode

from app.mqtt import topics
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
    broker: Broker,
    publications: Iterable[Publication],
    sent: Callable[[], None] = lambda: None,
    *,
    patient: bool = True,
) -> None:
    """Publish at QoS 1 and return when the broker has acknowledged everything. Who is `patient` goes on when
    the broker is back after an outage; who is not learns at once that it has hung up."""
    publisher = new_client(broker, f"vigil-publish-{uuid.uuid4().hex[:8]}", broker.publishing)
    publisher.max_inflight_messages_set(WAITING)
    answers: SimpleQueue[ReasonCode] = SimpleQueue()
    publisher.on_connect = lambda _client, _data, _flags, reason, _rest: answers.put(reason)
    connect(publisher, broker, broker.publishing)
    room = _Room(broker, publisher, patient=patient)
    publisher.loop_start()
    try:
        _accepted(broker, answers)
        for each in publications:
            room.take()
            publisher.publish(topics.at_site(broker.site, each.topic), each.encoded(), qos=1)
            sent()
        for _ in range(WAITING):
            room.take()
        publisher.disconnect()
    finally:
        publisher.loop_stop()


class _Room:
    """So many messages may be on the way. Counted by acknowledgements: what is published while the broker is
    away is sent when it is back."""

    def __init__(self, broker: Broker, publisher: mqtt.Client, *, patient: bool) -> None:
        self._broker, self._room = broker, Semaphore(WAITING)
        self._refusal = ""
        publisher.on_publish = lambda _client, _data, _number, reason, _rest: self._answered(reason)
        if not patient:
            publisher.on_disconnect = lambda *_: self._give_up("has closed the connection")

    def take(self) -> None:
        if not self._room.acquire(timeout=ACKNOWLEDGED_S):
            self._refusal = f"has not acknowledged a message for {ACKNOWLEDGED_S:.0f} s"
        if self._refusal:
            raise PublishError(f"{self._broker.url} {self._refusal}")

    def _answered(self, reason: ReasonCode) -> None:
        if reason.is_failure:
            self._refusal = f"refuses a message: {reason}"
        self._room.release()

    def _give_up(self, reason: str) -> None:
        self._refusal = reason
        self._room.release()


def _accepted(broker: Broker, answers: SimpleQueue[ReasonCode]) -> None:
    try:
        reason = answers.get(timeout=ACKNOWLEDGED_S)
    except Empty:
        raise PublishError(f"{broker.url} has not answered for {ACKNOWLEDGED_S:.0f} s") from None
    if reason.is_failure:
        raise PublishError(f"{broker.url} refuses the connection: {reason}")
