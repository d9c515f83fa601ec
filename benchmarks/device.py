"""A publisher at QoS 1 made of bare packets, so that it is not what is measured."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Sequence

HOST = "127.0.0.1"
WINDOW = 1_000
CONNECT = b"\0\4MQTT\4\2\0\0"

Message = tuple[str, bytes]


class Device:
    """Publishes groups of messages, never more than a window ahead of the broker's acknowledgements."""

    def __init__(self, port: int, name: str = "device") -> None:
        self._broker = socket.create_connection((HOST, port))
        self._broker.sendall(packet(0x10, CONNECT + _text(name)))
        self._broker.recv(4)
        self._sent = self._answered = 0

    def publish(self, messages: Sequence[Message]) -> None:
        at = 0
        while at < len(messages):
            group = messages[at : at + WINDOW - self.waiting]
            numbered = enumerate(group, self._sent)
            self._broker.sendall(b"".join(published(topic, body, n) for n, (topic, body) in numbered))
            at, self._sent = at + len(group), self._sent + len(group)
            if self.waiting >= WINDOW // 2:
                self._hear()

    def finish(self) -> None:
        """Wait until the broker has everything."""
        while self.waiting:
            self._hear()

    @property
    def waiting(self) -> int:
        return self._sent - self._answered // 4

    def _hear(self) -> None:
        answers = self._broker.recv(1 << 16)
        if not answers:
            raise ConnectionError("the broker has closed the connection")
        self._answered += len(answers)

    def close(self) -> None:
        self._broker.close()


def reading(reader: str, tag: str, ts: int) -> Message:
    value = {"reader": reader, "antenna": 1, "tag": tag, "ts": ts, "rssi": -45.0}
    return f"vigil/readings/{reader}", json.dumps(value).encode()


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def published(topic: str, body: bytes, number: int) -> bytes:
    return packet(0x32, _text(topic) + struct.pack("!H", number % 65_000 + 1) + body)


def _text(text: str) -> bytes:
    return struct.pack("!H", len(text)) + text.encode()


def packet(kind: int, body: bytes) -> bytes:
    length, left = bytearray(), len(body)
    while left > 127:
        length.append(left % 128 | 128)
        left //= 128
    return bytes([kind, *length, left]) + body
