"""`vigil demo` as a person starts it, without Java: up, first alert, Ctrl-C, and nothing left."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from app import store as stores
from app.store import Filter

PATIENCE_SECONDS = 600.0
VIGIL = [sys.executable, "-m", "app.cli"]


def bare(home: Path) -> dict[str, str]:
    """A clean home and the system's programs, but no Java except the one among the Python packages."""
    programs = home / "bin"
    programs.mkdir()
    for program in (*Path("/usr/bin").iterdir(), *Path("/bin").iterdir()):
        if not program.name.startswith("java") and not (programs / program.name).is_symlink():
            (programs / program.name).symlink_to(program)
    return {"HOME": str(home), "PATH": str(programs), "PYTHONPATH": os.getcwd(), "LANG": "C.UTF-8"}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def until(done: Callable[[], bool], output: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not done():
        assert time.monotonic() < deadline, output.read_text()
        time.sleep(0.2)


@pytest.mark.timeout(2 * PATIENCE_SECONDS)
@pytest.mark.parametrize("scenario", ["store", pytest.param("ward", marks=pytest.mark.soak)])
def test_the_demo_reaches_its_first_alert_and_leaves_nothing_behind(scenario: str, tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    options = ["--port", str(free_port()), "--data", str(tmp_path / "data")]
    with output.open("wb") as file:
        demo = subprocess.Popen(
            [*VIGIL, "demo", scenario, *options], stdout=file, stderr=file, env=bare(tmp_path), cwd=tmp_path
        )
    until(lambda: "First alert" in output.read_text() or demo.poll() is not None, output)
    family = [psutil.Process(demo.pid), *psutil.Process(demo.pid).children(recursive=True)]
    demo.send_signal(signal.SIGINT)
    assert demo.wait(60) == 0
    _, alive = psutil.wait_procs(family, timeout=10)
    assert alive == []
    assert "Everything has stopped" in output.read_text()
    assert proofs(tmp_path / "data") == [True]


def proofs(data: Path) -> list[bool]:
    """Whether the first alert rests on what was watched: the world began with the demo."""
    [store] = data.rglob("store.db")
    engine = stores.open_store(f"sqlite:///{store}")
    found = sorted(stores.all_alerts(engine, Filter()), key=lambda alert: alert.detected_ms)
    engine.dispose()
    return [not alert.unproven for alert in found[:1]]
