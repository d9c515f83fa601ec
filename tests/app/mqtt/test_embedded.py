"""Vigil's own broker: killed again and again under load, nothing that it acknowledged is lost."""

from __future__ import annotations

import json
import random
import secrets
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import paho.mqtt.client as mqtt
import psutil
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from app.mqtt.broker import Broker
from app.mqtt.embedded import HOST, USER
from tests.app.brokers import free_port, until
from tests.app.mqtt.test_subscriber import receiving
from tests.app.processes import numbers

KILLS = [3, pytest.param(20, marks=pytest.mark.soak)]


class KillableBroker:
    """On the same port with the same folder, however often it dies."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.password = folder, free_port(), secrets.token_urlsafe(8)
        self.connection = Broker(f"mqtt://{HOST}:{self.port}", USER, self.password, protocols=(4,))

    def start(self) -> None:
        words = ("-m", "app.mqtt.embedded", HOST, str(self.port), str(self.folder), USER)
        self.process = subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE)
        assert self.process.stdin is not None
        self.process.stdin.write(f"{self.password}\n".encode())
        self.process.stdin.flush()
        until(self._listens)

    def kill(self) -> None:
        [server] = psutil.Process(self.process.pid).children()
        server.kill()
        assert self.process.wait(10) != 0, "its end is told"
        assert self.process.stdin is not None
        self.process.stdin.close()

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(20)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((HOST, self.port)) == 0


class Reader:
    """Publishes numbered readings and remembers which of them were acknowledged."""

    def __init__(self, broker: Broker) -> None:
        self.sent: list[int] = []
        self._answered: set[int] = set()
        self._halt = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, "reader-1", clean_session=False)
        self._client.username_pw_set(broker.user, broker.password)
        self._client.max_queued_messages_set(0)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_publish = lambda _client, _data, mid, *_: self._answered.add(mid)
        self._client.connect(broker.host, broker.port, 5)
        self._client.loop_start()
        self._thread = threading.Thread(target=self._publish)
        self._thread.start()

    @property
    def acknowledged(self) -> set[int]:
        return {seq for seq, message in enumerate(list(self.sent)) if message in self._answered}

    def stop(self) -> None:
        self._halt.set()
        self._thread.join()
        until(lambda: len(self.acknowledged) == len(self.sent), 60)
        self._client.disconnect()
        self._client.loop_stop()

    def _publish(self) -> None:
        seq = 0
        while not self._halt.wait(0.005):
            value = {"reader": "r1", "tag": f"{seq:024X}", "ts": time.time_ns() // 1_000_000, "seq": seq}
            told = self._client.publish("vigil/readings/r1", json.dumps(value), qos=1)
            self.sent.append(told.mid)
            seq += 1


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("kills", KILLS)
def test_what_was_acknowledged_survives_the_broker(tmp_path: Path, kills: int) -> None:
    broker, chance = KillableBroker(tmp_path / "broker"), random.Random(kills)
    broker.start()
    with receiving(broker.connection, tmp_path / "log") as ingest:
        until(lambda: ingest.position > 0 or (tmp_path / "log").exists())
        time.sleep(1)  # the session must be there before anybody publishes
        reader = Reader(broker.connection)
        for _ in range(kills):
            time.sleep(chance.uniform(0.5, 2))
            broker.kill()
            broker.start()
        time.sleep(1)
        reader.stop()
        # What was under way when it died comes again when nobody has acknowledged it for half a minute.
        until(lambda: set(numbers(tmp_path / "log")) >= reader.acknowledged, 90)
        assert len(numbers(tmp_path / "log")) == len(reader.acknowledged), "each once"
        assert len(reader.acknowledged) > 100 * kills / 2
    broker.stop()


def test_a_password_of_digits_is_a_password(tmp_path: Path) -> None:
    broker = KillableBroker(tmp_path)
    broker.password = "1234567"
    broker.connection = Broker(broker.connection.url, USER, "1234567", protocols=(4,))
    broker.start()
    reader = Reader(broker.connection)
    until(lambda: len(reader.acknowledged) > 3)
    reader.stop()
    broker.stop()
