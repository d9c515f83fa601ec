"""The victim from outside: started, watched, killed, and what it has written."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

REPOSITORY = Path(__file__).parents[3]
PATIENCE = 300.0


def stream(seed: int, count: int) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    events = [
        {"event": chance.choice("ABCD"), "ts": 100 * i, "id": chance.randrange(6), "v": chance.randrange(10)}
        for i in range(count)
    ]
    arrivals = sorted(events, key=lambda event: event["ts"] + chance.uniform(0, 1000))
    return [*arrivals, {"event": "HEARTBEAT", "ts": 10_000_000}]


def started(folder: Path, master: str = "local[2]") -> subprocess.Popen[bytes]:
    """Its JVM does not live long enough for the code that the better compiler makes."""
    command = [sys.executable, "-m", "tests.sase.spark.victim", str(folder), master]
    quick = f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC {os.environ.get('JAVA_TOOL_OPTIONS', '')}"
    environment = os.environ | {"JAVA_TOOL_OPTIONS": quick}
    with (folder / "said").open("ab") as said:
        return subprocess.Popen(
            command, cwd=REPOSITORY, env=environment, stdout=said, stderr=said, start_new_session=True
        )


def kill(process: subprocess.Popen[bytes]) -> None:
    """The process, its JVM and the JVM's Python workers, all at once."""
    family = [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]
    for member in family:
        with suppress(ProcessLookupError):  # a worker may have ended by itself since it was listed
            os.kill(member.pid, signal.SIGKILL)
    psutil.wait_procs(family, timeout=30)
    process.wait()


def wait_for_batches(folder: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(list((folder / "out").iterdir())) < count and process.poll() is None:
        assert time.monotonic() < deadline, (folder / "said").read_text()[-3000:]
        time.sleep(0.02)


def rows(folder: Path) -> list[dict[str, Any]]:
    files = sorted((folder / "out").iterdir())
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def events_in_order(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"id": None, "v": None, **event} for event in sorted(events, key=lambda event: event["ts"])]
