"""Vigil's own commands as child processes that tests may kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app import log


@contextmanager
def vigil(
    *arguments: str | Path, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A running command; what is left of it when the block ends is killed."""
    child = subprocess.Popen(
        [sys.executable, "-m", "app.cli", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def stop(child: subprocess.Popen[str]) -> int:
    child.send_signal(signal.SIGTERM)
    return child.wait(timeout=30)


def readings(folder: Path) -> list[dict[str, Any]]:
    start, stop = log.earliest(folder), log.end(folder)
    rows = [row for batch in log.read(folder, start, stop) for row in batch.to_pylist()]
    return [row for row in rows if row["kind"] == "reading"]


def numbers(folder: Path) -> list[int]:
    return [row["seq"] for row in readings(folder)]


def statuses(folder: Path) -> list[str]:
    rows = [row for batch in log.read(folder, 0, log.end(folder)) for row in batch.to_pylist()]
    return [json.loads(row["detail"])["status"] for row in rows if row["kind"] == "status"]
