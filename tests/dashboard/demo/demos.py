"""A demo that runs as its user starts it: every part a process of its own, and its pages to look at."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import Browser, Page, expect

from app import store
from tests.dashboard.servers import free_port

PATIENCE_S = 600.0  # a busy machine that compiles its kernels first takes minutes to start


@dataclass(frozen=True)
class Demo:
    url: str
    store: sa.Engine


@contextmanager
def demo_of(place: str, folder: Path) -> Iterator[Demo]:
    data, log = folder / "data", folder / "demo.log"
    port = free_port()
    command = [sys.executable, "-m", "app.cli", "demo", place, "--data", str(data), "--port", str(port)]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        await_that(lambda: b"Everything is up" in log.read_bytes())
        engine = store.connect(f"sqlite:///{data / 'store.db'}")
        yield Demo(f"http://127.0.0.1:{port}", engine)
        engine.dispose()
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def page_of(browser: Browser, demo: Demo, width: int = 1440, dark: bool = False) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": width, "height": 900 if width > 1000 else 1180 if width > 500 else 844},
        color_scheme="dark" if dark else "light",
        base_url=demo.url,
    )
    context.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    yield context.new_page()
    context.close()


def await_that(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until, "what was waited for did not happen"
        time.sleep(0.2)


def now_ms() -> int:
    return time.time_ns() // 1_000_000
