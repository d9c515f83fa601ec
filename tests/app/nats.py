"""A real nats-server with JetStream on a free port that can be killed and started again."""

from __future__ import annotations

import signal
import socket
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from app.log import StreamAddress
from app.log_address import stream_address
from app.mqtt.embedded import program
from tests.app.brokers import free_port, until


@dataclass
class NatsServer:
    """It keeps what it has acknowledged; `extra` are lines of its configuration."""

    folder: Path
    extra: str = ""
    most: str = "8MB"
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def address(self, stream: str = "vigil", scheme: str = "nats", **access: str) -> StreamAddress:
        return stream_address(f"{scheme}://127.0.0.1:{self.port}/{stream}", access)

    def start(self) -> None:
        config = self.folder / "nats.conf"
        config.write_text(
            f'listen: "127.0.0.1:{self.port}"\nmax_payload: {self.most}\n'
            f'jetstream {{ store_dir: "{self.folder}/messages", sync_interval: always }}\n{self.extra}\n'
        )
        command = [str(program()), "-c", str(config), "-l", str(self.folder / "nats.log")]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        until(self.listens)

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        self.stop(signal.SIGKILL)

    def stop(self, number: int = signal.SIGTERM) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        self.process.wait()
        self.process = None
