"""A running Vigil to measure: Mosquitto, ingest and pipeline as processes, and ways to wait for them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import sqlalchemy as sa

from app import settings
from app import store as stores
from app.mqtt.broker import Broker
from app.running import parts
from app.running.supervisor import Supervisor
from app.settings import Settings

PATIENCE_SECONDS = 300.0


@dataclass
class Site:
    engine: sa.Engine
    supervisor: Supervisor
    began: float

    def wait_until_up(self) -> None:
        """And say how long each part took."""
        for part in self.supervisor.parts:
            self.wait(lambda name=part: self.supervisor.states[name] == "up")  # type: ignore[misc]
            print(f"{part} up after {time.monotonic() - self.began:.1f} s", flush=True)

    def figures(self) -> dict[str, int]:
        """What the pipeline says about its last batch."""
        latest = stores.latest(self.engine)
        wanted = ("delay_ms", "lag_rows", "batch_ms", "batch_rows", "state_rows")
        return {name: round(latest[name].value) for name in wanted if name in latest}

    def wait(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not done():
            if time.monotonic() > deadline:
                raise TimeoutError(f"not done after {PATIENCE_SECONDS:.0f} s: {self.supervisor.states}")
            time.sleep(0.1)

    def memory(self) -> dict[str, float]:
        """MiB of each part with everything it started."""
        return {
            name: sum(_share(one) for one in processes(pid)) / 2**20
            for name, pid in self.supervisor.processes.items()
        }


@contextmanager
def running(scenario: str, chosen: Settings) -> Iterator[Site]:
    engine = stores.open_store(chosen.store)
    logs = chosen.data / "logs"
    environment = os.environ | settings.as_environment(chosen)
    together = [parts.ingest(), parts.pipeline(scenario, engine)]
    supervisor = Supervisor(together, environment, logs, time.monotonic)
    began = time.monotonic()
    stop = threading.Event()
    keeper = threading.Thread(target=_keep, args=(supervisor, stop))
    keeper.start()
    try:
        yield Site(engine, supervisor, began)
    finally:
        stop.set()
        keeper.join()
        supervisor.stop()


@contextmanager
def mosquitto(folder: Path) -> Iterator[Broker]:
    program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    config = folder / "mosquitto.conf"
    config.write_text(  # as docs/connecting-readers.md recommends it
        f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n"
        "max_inflight_messages 1000\nlog_dest none\n"
    )
    process = subprocess.Popen([program, "-c", str(config)])
    try:
        _await_port(port)
        yield Broker(f"mqtt://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait()


def _await_port(port: int) -> None:
    deadline = time.monotonic() + 10
    probe = parts.listens("127.0.0.1", port)
    while not probe() and time.monotonic() < deadline:
        time.sleep(0.05)


def processes(pid: int) -> list[psutil.Process]:
    try:
        one = psutil.Process(pid)
        return [one, *one.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _share(process: psutil.Process) -> int:
    """Its own memory and, on Linux, its part of what it shares: workers are forks and share a lot."""
    try:
        found = process.memory_full_info()
        return int(getattr(found, "pss", found.uss))
    except psutil.NoSuchProcess:  # a worker that was listed and has ended since
        return 0


def _keep(supervisor: Supervisor, stop: threading.Event) -> None:
    while not stop.wait(0.1):
        supervisor.tick()
