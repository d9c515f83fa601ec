"""A running `vigil dashboard` as a process of its own, on a free port, with a store that the test fills."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from app import store

START_S = 60.0
HASTY = """
import sys
from app import cli
from dashboard.facts import live_data
live_data.FRESH_S = 0.02
sys.exit(cli.main())
"""


@dataclass(frozen=True)
class Server:
    port: int
    store: sa.Engine
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def dashboard(
    data: Path,
    *options: str,
    one_core: bool = False,
    hasty: bool = False,
    place: str = "store",
    port: int | None = None,
) -> Iterator[Server]:
    """Serve the store in `data`. `one_core`: the process never gets a second one; `hasty`: every tick is read
    from the store, also those of a page that ticks faster than a real one."""
    port = port or free_port()
    engine = store.open_store(f"sqlite:///{data / 'store.db'}")
    pinned = ["taskset", "-c", "0"] if one_core and shutil.which("taskset") else []
    program = ["-c", HASTY] if hasty else ["-m", "app.cli"]
    command = [*pinned, sys.executable, *program, "dashboard", place, "--port", str(port), *options]
    with (data / "dashboard.log").open("wb") as log:
        process = subprocess.Popen(
            command, env={**os.environ, "VIGIL_DATA": str(data)}, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        _await(f"http://127.0.0.1:{port}/healthz", process, data)
        yield Server(port, engine, process)
    finally:
        process.kill()
        process.wait()
        engine.dispose()


def _await(url: str, process: subprocess.Popen[bytes], data: Path) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError((data / "dashboard.log").read_text())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
