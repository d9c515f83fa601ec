"""A real Mosquitto on a free port that can be killed and started again."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.mqtt.broker import Broker

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def until(condition: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait on a condition, not for a time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not so after {seconds:.0f} s"
        time.sleep(0.02)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@dataclass
class Mosquitto:
    """A broker that can be killed and started again on the same port with what it had saved."""

    folder: Path
    extra: str = ""
    saving: str = ""
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    @property
    def connection(self) -> Broker:
        return Broker(self.url)

    @property
    def log(self) -> Path:
        return self.folder / "mosquitto.log"

    def start(self) -> None:
        assert MOSQUITTO is not None
        config = self.folder / "mosquitto.conf"
        config.write_text(
            f"listener {self.port} 127.0.0.1\n"
            f"{self.extra or 'allow_anonymous true'}\n"
            "max_queued_messages 0\nmax_inflight_messages 1000\n"
            f"persistence true\npersistence_location {self.folder}/\n{self.saving}\n"
            f"user root\nlog_dest file {self.log}\nlog_type subscribe\n"
        )
        self.process = subprocess.Popen([MOSQUITTO, "-c", str(config)], stderr=subprocess.DEVNULL)
        until(self.listens)

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def knows(self, client: str) -> bool:
        """Whether a client (by the beginning of its id) has subscribed; the broker's log says so."""
        return f": {client}" in self.log.read_text()

    def kill(self) -> None:
        self.stop(signal.SIGKILL)

    def stop(self, number: int = signal.SIGTERM) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        self.process.wait()
