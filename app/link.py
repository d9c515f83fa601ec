"""One connection to the broker, driven by hand: receives a group, acknowledges it, never in between."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from paho.mqtt import client as mqtt
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from app import connection as brokers
from app.connection import Connection, Protocol
from app.ingest import Message

GROUP_MESSAGES = brokers.IN_FLIGHT
GROUP_BYTES = 8 << 20
ANSWER_S, GRANT_S = 5.0, 30.0
POLL_S = 0.25

Arrived = list[tuple[Message, int]]  # with the number under which to acknowledge it, 0 if there is none


class BrokerError(ConnectionError):
    """The broker does not do what was asked of it."""


class NoAnswerError(BrokerError):
    """The broker does not speak this version of MQTT, or nobody is there."""


class Link:
    """paho's loop is called from here and not from a thread of its own, so that reading stops while the disk
    works: what is not read stays with the broker."""

    def __init__(self, broker: Connection, client_id: str, protocol: Protocol, *, lasting: bool) -> None:
        self.protocol = protocol
        self._broker = broker
        self._arrived: Arrived = []
        self._bytes = 0
        self._answer: tuple[ReasonCode, bool] | None = None
        self._granted: list[ReasonCode] | None = None
        self._lasting = lasting
        self._client = brokers.client(broker, client_id, protocol, lasting=lasting)
        self._client.on_connect = self._on_connect
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message
        self._client.on_socket_register_write = _leave_writing_to_us

    def open(self, filters: Sequence[str]) -> bool:
        """Connect and subscribe; whether the broker still knew the session."""
        brokers.connect(self._client, self._broker, self.protocol, lasting=self._lasting)
        self._await(lambda: self._answer is not None, ANSWER_S)
        assert self._answer is not None
        reason, present = self._answer
        if reason.is_failure:
            error = NoAnswerError if "protocol" in str(reason).lower() else BrokerError
            raise error(f"{self._broker.url} refuses the connection: {reason}")
        self._subscribe(filters)
        return present

    def receive(self) -> Arrived:
        """Wait a little for messages; all that are there, as far as a group goes."""
        self._poll(0.0 if self._bytes else POLL_S)
        while len(self._arrived) < GROUP_MESSAGES and self._bytes < GROUP_BYTES:
            before = len(self._arrived)
            self._check(self._client.loop_read())
            if len(self._arrived) == before:
                self._bytes = 0  # drained: the next one may wait
                break
        self._check(self._client.loop_misc())
        arrived, self._arrived = self._arrived, []
        return arrived

    def acknowledge(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if number:
                self._client.ack(number, 1)
        self._check(self._client.loop_write())

    def leave(self) -> None:
        """Say goodbye; the session and what arrives for it stay with the broker."""
        self._client.disconnect()
        self._client.loop_write()

    def close(self) -> None:
        socket = self._client.socket()
        if socket:
            socket.close()

    def _subscribe(self, filters: Sequence[str]) -> None:
        # Retained messages only with a new subscription, not again with every reconnect.
        options = SubscribeOptions(qos=1, retainHandling=SubscribeOptions.RETAIN_SEND_IF_NEW_SUB)
        wanted: Any = [(each, options if self.protocol == 5 else 1) for each in filters]
        self._client.subscribe(wanted)
        self._await(lambda: self._granted is not None, GRANT_S)
        refused = [each for each, code in zip(filters, self._granted or [], strict=True) if code.is_failure]
        if refused:
            raise BrokerError(f"{self._broker.url} refuses the subscription to {', '.join(refused)}")

    def _await(self, done: Callable[[], bool], patience_s: float) -> None:
        until = time.monotonic() + patience_s
        while not done():
            if time.monotonic() > until:
                raise NoAnswerError(f"{self._broker.url} does not answer to MQTT {_name(self.protocol)}")
            self._poll(POLL_S)
            rc = self._client.loop_read()
            if rc and not done():
                raise NoAnswerError(f"{self._broker.url} hangs up on MQTT {_name(self.protocol)}")

    def _poll(self, timeout_s: float) -> None:
        socket = self._client.socket()
        if socket is None:
            raise BrokerError(f"{self._broker.url}: the connection is gone")
        waiting = [socket] if self._client.want_write() else []
        _, writable, _ = select.select([socket], waiting, [], timeout_s)
        if writable:
            self._check(self._client.loop_write())

    def _check(self, rc: MQTTErrorCode) -> None:
        if rc:
            raise BrokerError(f"{self._broker.url}: {mqtt.error_string(rc)}")

    def _on_connect(
        self, _client: mqtt.Client, _data: object, flags: mqtt.ConnectFlags, reason: ReasonCode, _rest: object
    ) -> None:
        self._answer = (reason, flags.session_present)

    def _on_subscribe(
        self, _client: mqtt.Client, _data: object, _mid: int, codes: list[ReasonCode], _rest: object
    ) -> None:
        self._granted = codes

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            topic = "(a topic that is not UTF-8)"
        self._arrived.append(
            (Message(topic, bytes(message.payload), message.dup or message.retain), message.mid)
        )
        self._bytes += len(message.payload)


def _leave_writing_to_us(_client: mqtt.Client, _data: object, _socket: object) -> None:
    """With a callback here paho queues packets instead of sending each at once."""


def _name(protocol: Protocol) -> str:
    return "5" if protocol == 5 else "3.1.1"
