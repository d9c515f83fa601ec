"""A connection to a broker that says little: it is kept alive, and given up when nobody is there any more."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from threading import Thread

import pytest

from app.mqtt import link
from app.mqtt.broker import Broker
from app.mqtt.link import BrokerError, Link
from tests.app.brokers import until

CONNACK, SUBACK = b"\x20\x02\x00\x00", b"\x90\x03\x00\x01\x01"
PINGREQ, PINGRESP, PUBACK = b"\xc0\x00", b"\xd0\x00", b"\x40\x02"


class Silent:
    """Accepts a connection and a subscription, keeps what it hears, and says only what it is told to."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.heard = b""
        self.thread = Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        self.connection, _ = self.server.accept()
        for answer in (CONNACK, SUBACK):
            self.connection.recv(1000)
            self.connection.sendall(answer)
        while data := self.connection.recv(1000):
            self.heard += data

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.server.getsockname()[1]}"

    def close(self) -> None:
        self.connection.close()
        self.server.close()


@pytest.fixture
def broker() -> Iterator[Silent]:
    made = Silent()
    yield made
    made.close()


@pytest.fixture
def opened(broker: Silent, monkeypatch: pytest.MonkeyPatch) -> Iterator[Link]:
    monkeypatch.setattr(link, "POLL_S", 0.01)
    monkeypatch.setattr(link, "PING_AFTER_S", 0.1)
    monkeypatch.setattr(link, "GONE_AFTER_S", 30.0)
    made = Link(Broker(broker.url), "vigil-link", 4, lasting=True)
    made.open(["vigil/readings/+"])
    yield made
    made.close()


def received(opened: Link) -> bool:
    return opened.receive() == []


def test_a_quiet_connection_is_kept_alive_by_pings(broker: Silent, opened: Link) -> None:
    until(lambda: received(opened) and broker.heard.count(PINGREQ) >= 2)
    broker.connection.sendall(PINGRESP)
    assert received(opened)


def test_a_broker_that_does_not_answer_is_given_up(opened: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "GONE_AFTER_S", 0.3)
    with pytest.raises(BrokerError, match="has not been heard of"):
        until(lambda: not received(opened))


def test_a_broker_that_hangs_up_is_an_error_to_try_again_after(broker: Silent, opened: Link) -> None:
    broker.connection.shutdown(socket.SHUT_RDWR)
    with pytest.raises(BrokerError):
        until(lambda: not received(opened))


def test_bytes_that_are_not_mqtt_end_the_connection(broker: Silent, opened: Link) -> None:
    broker.connection.sendall(b"\x30\x00")
    with pytest.raises(BrokerError, match="longer than its packet"):
        until(lambda: not received(opened))


def test_acknowledgements_reach_the_broker_in_one_piece(broker: Silent, opened: Link) -> None:
    opened.acknowledge(range(1, 1001))
    until(lambda: received(opened) and broker.heard.replace(PINGREQ, b"").count(PUBACK) == 1000)
