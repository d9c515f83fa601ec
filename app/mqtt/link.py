"""One connection to the broker, driven by hand: receives a group, acknowledges it, never in between."""

from __future__ import annotations

import select
import ssl
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from paho.mqtt import client as mqtt
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from app.mqtt import packets
from app.mqtt.broker import IN_FLIGHT, KEEPALIVE_S, Broker, Protocol, connect, new_client
from app.mqtt.message import Message
from app.mqtt.packets import Arrived, Inbox

GROUP_MESSAGES = IN_FLIGHT
GROUP_BYTES = 8 << 20
ANSWER_S, GRANT_S = 5.0, 30.0
POLL_S = 0.25
READ_BYTES = 256 << 10
PING_AFTER_S = KEEPALIVE_S / 2
GONE_AFTER_S = KEEPALIVE_S * 1.5

_NOTHING_YET = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class BrokerError(ConnectionError):
    """The broker does not do what was asked of it."""


class NoAnswerError(BrokerError):
    """The broker does not speak this version of MQTT, or nobody is there."""


class Link:
    """paho opens the connection; what then comes is read from here and not by a thread of its own, so that
    reading stops while the disk works: what is not read stays with the broker."""

    def __init__(self, broker: Broker, client_id: str, protocol: Protocol, *, lasting: bool) -> None:
        self.protocol = protocol
        self._broker = broker
        self._inbox = Inbox(protocol)
        self._arrived: Arrived = []
        self._unsent = b""
        self._drained = True
        self._heard_at = self._said_at = time.monotonic()
        self._answer: tuple[ReasonCode, bool] | None = None
        self._granted: list[ReasonCode] | None = None
        self._lasting = lasting
        self._client = new_client(broker, client_id, protocol, lasting=lasting)
        self._client.on_connect = self._on_connect
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message
        self._client.on_socket_register_write = _leave_writing_to_us

    def open(self, filters: Sequence[str]) -> bool:
        """Connect and subscribe; whether the broker still knew the session."""
        connect(self._client, self._broker, self.protocol, lasting=self._lasting)
        self._await(lambda: self._answer is not None, ANSWER_S)
        assert self._answer is not None
        reason, present = self._answer
        if reason.is_failure:
            error = NoAnswerError if "protocol" in str(reason).lower() else BrokerError
            raise error(f"{self._broker.url} refuses the connection: {reason}")
        self._subscribe(filters)
        self._heard_at = self._said_at = time.monotonic()
        return present

    def receive(self) -> Arrived:
        """Wait a little for messages; all that are there, as far as a group goes."""
        arrived, size = self._arrived, 0  # left over, or come before the subscription was granted
        self._wait(POLL_S if self._drained and not arrived else 0.0)
        self._drained = False
        while len(arrived) < GROUP_MESSAGES and size < GROUP_BYTES:
            data = self._read()
            if not data:
                self._drained = True
                break
            arrived += self._cut(data)
            size += len(data)
        self._keep_alive()
        self._arrived = arrived[GROUP_MESSAGES:]
        return arrived[:GROUP_MESSAGES]

    def acknowledge(self, numbers: Iterable[int]) -> None:
        self._say(packets.acknowledgements(numbers))

    def leave(self) -> None:
        """Say goodbye; the session and what arrives for it stay with the broker."""
        if not self._unsent:
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

    def _read(self) -> bytes:
        """What is there, as far as it fits; nothing if there is nothing now."""
        try:
            data: bytes = self._socket().recv(READ_BYTES)
        except _NOTHING_YET:
            return b""
        except OSError as error:
            raise BrokerError(f"{self._broker.url}: {error}") from None
        if not data:
            raise BrokerError(f"{self._broker.url} has closed the connection")
        self._heard_at = time.monotonic()
        return data

    def _cut(self, data: bytes) -> Arrived:
        try:
            return self._inbox.take(data)
        except (packets.MalformedError, packets.HungUpError) as error:
            raise BrokerError(f"{self._broker.url}: {error}") from None

    def _say(self, data: bytes) -> None:
        """Send what can be sent now; the rest waits until the broker listens again."""
        self._unsent += data
        if not self._unsent:
            return
        try:
            self._unsent = self._unsent[self._socket().send(self._unsent) :]
            self._said_at = time.monotonic()
        except _NOTHING_YET:
            return
        except OSError as error:
            raise BrokerError(f"{self._broker.url}: {error}") from None

    def _keep_alive(self) -> None:
        now = time.monotonic()
        if now - self._heard_at > GONE_AFTER_S:
            raise BrokerError(f"{self._broker.url} has not been heard of for {GONE_AFTER_S:.0f} s")
        if not self._unsent and now - self._said_at > PING_AFTER_S:
            self._say(packets.PING)

    def _wait(self, timeout_s: float) -> None:
        socket = self._socket()
        _, writable, _ = select.select([socket], [socket] if self._unsent else [], [], timeout_s)
        if writable:
            self._say(b"")

    def _socket(self) -> Any:
        socket = self._client.socket()
        if socket is None:
            raise BrokerError(f"{self._broker.url}: the connection is gone")
        return socket

    def _poll(self, timeout_s: float) -> None:
        """While paho opens the connection: let it write what it has to."""
        socket = self._socket()
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


def _leave_writing_to_us(_client: mqtt.Client, _data: object, _socket: object) -> None:
    """With a callback here paho queues packets instead of sending each at once."""


def _name(protocol: Protocol) -> str:
    return "5" if protocol == 5 else "3.1.1"
