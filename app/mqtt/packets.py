"""MQTT's packets in the bytes of a connection, cut out many at a time.

paho takes three reads for every message and one write for every acknowledgement: two thirds of what a message
costs on its way to the log. It opens the connection; from there on its bytes are read and written here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from app.mqtt.message import Message

PUBLISH, PINGRESP, DISCONNECT = 0x30, 0xD0, 0xE0
PING = b"\xc0\x00"

Arrived = list[tuple[Message, int]]  # with the number under which to acknowledge it, 0 if there is none


class MalformedError(ValueError):
    """Bytes that are not MQTT."""


class HungUpError(ConnectionError):
    """The broker has said goodbye."""


class Inbox:
    """What has come of a connection; a packet that is not whole yet waits here for its rest."""

    def __init__(self, protocol: int) -> None:
        self._has_properties = protocol == 5
        self._waiting = bytearray()
        self._needed = 2

    def take(self, data: bytes) -> Arrived:
        """The messages that are whole by now; answers to pings are dropped, their coming was all they say."""
        if self._waiting or len(data) < self._needed:
            self._waiting += data
            if len(self._waiting) < self._needed:
                return []
            data = bytes(self._waiting)
        try:
            arrived, rest = self._cut(data)
        except IndexError:
            raise MalformedError("a message longer than its packet") from None
        self._waiting = bytearray(data[rest:])
        return arrived

    def _cut(self, data: bytes) -> tuple[Arrived, int]:
        """The messages in the data and where the first packet begins that is not whole."""
        arrived: Arrived = []
        at, end = 0, len(data)
        while end - at >= 2:
            body, length = _length(data, at + 1)
            if body < 0:
                self._needed = end - at + 1
                return arrived, at
            after = body + length
            if after > end:
                self._needed = after - at
                return arrived, at
            kind = data[at] & 0xF0
            if kind == PUBLISH:
                arrived.append(self._message(data, data[at], body, after))
            elif kind == DISCONNECT:
                raise HungUpError("it has ended the session")
            elif kind != PINGRESP:
                raise MalformedError(f"a packet of kind {kind >> 4}")
            at = after
        self._needed = 2
        return arrived, at

    def _message(self, data: bytes, head: int, at: int, after: int) -> tuple[Message, int]:
        text = at + 2
        at = text + (data[at] << 8 | data[at + 1])
        topic = _topic(data[text:at])
        number = 0
        if head & 0x06:
            number = data[at] << 8 | data[at + 1]
            at += 2
        if self._has_properties:
            start, length = _length(data, at)
            at = start + length
        if not text <= at <= after:
            raise MalformedError("a message longer than its packet")
        # A message delivered again, or retained: the log may have it already.
        return Message(topic, data[at:after], bool(head & 0x09)), number


def _length(data: bytes, at: int) -> tuple[int, int]:
    """MQTT's numbers of one to four bytes, 7 bits each: where what follows begins, and the number.

    The beginning is -1 while bytes of the number are missing."""
    number, shift = 0, 0
    for index in range(at, min(at + 4, len(data))):
        byte = data[index]
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return index + 1, number
        shift += 7
    if len(data) >= at + 4:
        raise MalformedError("a length of more than four bytes")
    return -1, 0


@lru_cache(maxsize=10_000)
def _topic(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return "(a topic that is not UTF-8)"


def acknowledgements(numbers: Iterable[int]) -> bytes:
    """PUBACK for each, in one piece; the short form means success in MQTT 5, too."""
    return b"".join(b"\x40\x02" + number.to_bytes(2, "big") for number in numbers if number)
