"""MQTT's packets come out of the bytes as they went in, however the bytes are cut."""

from __future__ import annotations

import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from app.mqtt import packets
from app.mqtt.message import Message
from app.mqtt.packets import HungUpError, Inbox, MalformedError

PINGRESP = b"\xd0\x00"


def packet(head: int, body: bytes) -> bytes:
    length, left = bytearray(), len(body)
    while left > 127:
        length.append(left % 128 | 128)
        left //= 128
    return bytes([head, *length, left]) + body


def publish(message: Message, number: int, properties: bytes = b"") -> bytes:
    """As the MQTT specification draws it (3.3); a number means quality of service 1."""
    topic = message.topic.encode()
    head = 0x30 | (0x02 if number else 0) | (0x08 if message.repeated else 0)
    numbered = struct.pack("!H", number) if number else b""
    return packet(head, struct.pack("!H", len(topic)) + topic + numbered + properties + message.payload)


MESSAGES = st.builds(
    Message, st.text(st.characters(codec="utf-8"), max_size=20), st.binary(max_size=300), st.booleans()
)
ARRIVED = st.lists(st.tuples(MESSAGES, st.integers(0, 65_535)), max_size=12)


@given(ARRIVED, st.lists(st.integers(0, 4_000), max_size=10))
def test_messages_come_out_whole_however_the_bytes_are_cut(
    arrived: list[tuple[Message, int]], cuts: list[int]
) -> None:
    stream = b"".join(publish(*each) + PINGRESP for each in arrived)
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    inbox = Inbox(4)
    pieces = [stream[start:end] for start, end in pairwise(places)]
    assert [each for piece in pieces for each in inbox.take(piece)] == arrived


@given(ARRIVED)
def test_messages_come_out_byte_by_byte(arrived: list[tuple[Message, int]]) -> None:
    stream = b"".join(publish(*each) for each in arrived)
    inbox = Inbox(4)
    assert [each for byte in stream for each in inbox.take(bytes([byte]))] == arrived


@given(ARRIVED)
def test_the_properties_of_mqtt_5_are_passed_over(arrived: list[tuple[Message, int]]) -> None:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.UserProperty = [("site", "x" * 200)]
    properties.MessageExpiryInterval = 60
    packed = properties.pack()  # type: ignore[no-untyped-call]
    stream = b"".join(publish(*each, packed) for each in arrived)
    assert Inbox(5).take(stream) == arrived


@given(st.binary(max_size=200), st.sampled_from([4, 5]))
def test_bytes_that_are_not_mqtt_are_refused_or_waited_for(data: bytes, protocol: int) -> None:
    outcome = _outcome(data, protocol)
    assert outcome in (list, MalformedError, HungUpError)


def _outcome(data: bytes, protocol: int) -> type:
    try:
        return type(Inbox(protocol).take(data))
    except (MalformedError, HungUpError) as error:
        return type(error)


def test_a_large_message_is_put_together_from_its_pieces() -> None:
    message = Message("vigil/readings/r1", b"x" * 3_000_000)
    stream, inbox = publish(message, 7), Inbox(4)
    pieces = [stream[at : at + 4_096] for at in range(0, len(stream), 4_096)]
    assert [each for piece in pieces for each in inbox.take(piece)] == [(message, 7)]


def test_a_topic_that_is_not_text_is_named_as_such() -> None:
    [(message, _)] = Inbox(4).take(packet(0x30, b"\x00\x02\xff\xfe" + b"payload"))
    assert message == Message("(a topic that is not UTF-8)", b"payload")


def test_the_brokers_goodbye_ends_the_connection() -> None:
    with pytest.raises(HungUpError):
        Inbox(5).take(b"\xe0\x02\x8b\x00")


def test_acknowledgements_are_one_piece_without_those_that_need_none() -> None:
    assert packets.acknowledgements([1, 0, 258]) == b"\x40\x02\x00\x01\x40\x02\x01\x02"
