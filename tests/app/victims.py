"""The processes on the way from MQTT to Spark: each can be killed, started again, and asked how far it is."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Semaphore, Thread

import psutil

from app import log
from app.mqtt.broker import connect, new_client
from tests.app.brokers import Mosquitto

PATIENCE = 400.0
WINDOW = 500
TOPIC = "vigil/readings/r1"


@dataclass
class Process:
    """A command that is to go on where it was killed."""

    command: list[str]
    child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.child = subprocess.Popen([sys.executable, *self.command], stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        """The whole family at once, as a power cut would."""
        assert self.child is not None
        family = [psutil.Process(self.child.pid), *psutil.Process(self.child.pid).children(recursive=True)]
        for member in family:
            member.send_signal(signal.SIGKILL)
        self.child.wait()
        psutil.wait_procs(family, timeout=PATIENCE)
        self.child = None

    def __enter__(self) -> Process:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.child:
            self.kill()


def ingest(url: str, folder: Path) -> Process:
    return Process(["-m", "app.cli", "ingest", "--broker", url, "--log", str(folder)])


def copying(folder: Path, target: Path) -> Process:
    return Process(["-m", "tests.app.copying", str(folder), str(target)])


def logged(folder: Path) -> int:
    return log.end(folder)


def copied(folder: Path) -> int:
    return log.committed(folder).get("copying", 0)


@dataclass
class Device:
    """Publishes 200 numbered readings a second, every twentieth broken; it can say the last ones again."""

    broker: Mosquitto
    sent: list[bytes] = field(default_factory=list)
    halt: Event = field(default_factory=Event)
    thread: Thread | None = None
    room: Semaphore = field(default_factory=lambda: Semaphore(WINDOW))

    def start(self) -> None:
        self.client = new_client(self.broker.connection, "device", 4)
        self.client.max_inflight_messages_set(100)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_publish = lambda *_: self.room.release()
        connect(self.client, self.broker.connection, 4)
        self.client.loop_start()
        self.thread = Thread(target=self._publish)
        self.thread.start()

    def _publish(self) -> None:
        while not self.halt.wait(0.05):
            for _ in range(10):
                self._send(self._next())

    def _next(self) -> bytes:
        seq = len(self.sent)
        reading = json.dumps(
            {"reader": "r1", "tag": f"{seq:024X}", "ts": time.time_ns() // 1_000_000, "seq": seq}
        )
        payload = (reading if seq % 20 else f"broken {seq}").encode()
        self.sent.append(payload)
        return payload

    def _send(self, payload: bytes) -> None:
        assert self.room.acquire(timeout=PATIENCE)
        self.client.publish(TOPIC, payload, qos=1)

    def repeat(self, count: int) -> None:
        for payload in self.sent[-count:]:
            self._send(payload)

    def finish(self) -> None:
        """Stop when the broker has acknowledged everything."""
        assert self.thread is not None
        self.halt.set()
        self.thread.join(PATIENCE)
        assert all(self.room.acquire(timeout=PATIENCE) for _ in range(WINDOW))

    def __enter__(self) -> Device:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.halt.set()
        self.client.disconnect()
        self.client.loop_stop()

    @property
    def readings(self) -> set[int]:
        return {seq for seq in range(len(self.sent)) if seq % 20}

    @property
    def broken(self) -> set[bytes]:
        return {payload for seq, payload in enumerate(self.sent) if not seq % 20}
