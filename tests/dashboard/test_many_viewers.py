"""Ten browsers at once, the server on one core: an alert is on every screen within two seconds."""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from app import store
from tests.dashboard import seed
from tests.dashboard.servers import Server, dashboard
from tests.dashboard.viewers import Viewer, demo_cookie

VIEWERS = 10
ROUNDS = 8
# Shared machines have busy moments: all must get it soon, nine of ten in time.
PATIENCE_S = 60.0


@pytest.fixture
def server(tmp_path: Path, busy_file: Path) -> Iterator[Server]:
    shutil.copy(busy_file, tmp_path / "store.db")
    with dashboard(tmp_path, "--demo", one_core=True) as running:
        yield running


def raised(server: Server, number: int, word: bytes) -> float:
    at = time.time_ns() // 1_000_000
    store.record_alerts(server.store, [seed.shoplifting(number, at, title=word.decode())], at)
    return time.monotonic()


def delay(viewer: Viewer, word: bytes, since: float) -> float:
    until = since + PATIENCE_S
    while word not in viewer.seen and time.monotonic() < until:
        time.sleep(0.02)
    return viewer.seen.get(word, float("inf")) - since


@pytest.mark.alone
def test_ten_viewers_see_a_new_alert_within_two_seconds(server: Server) -> None:
    words = [f"Alert of round {number}".encode() for number in range(ROUNDS)]
    cookie = demo_cookie(server.port)
    viewers = [Viewer(server.port, cookie, words) for _ in range(VIEWERS)]
    for viewer in viewers:
        viewer.start()
    assert all(viewer.live.wait(PATIENCE_S) for viewer in viewers)
    delays = []
    process, began = psutil.Process(server.process.pid), time.monotonic()
    used = sum(process.cpu_times()[:2])
    for number, word in enumerate(words):
        since = raised(server, 30_000 + number, word)
        delays += [delay(viewer, word, since) for viewer in viewers]
    busy = (sum(process.cpu_times()[:2]) - used) / (time.monotonic() - began)
    for viewer in viewers:
        viewer.close()
    *_, late = statistics.quantiles(delays, n=10)
    print(
        f"median {statistics.median(delays):.2f} s, nine of ten within {late:.2f} s, "
        f"slowest {max(delays):.2f} s of {len(delays)}; server {busy:.0%} of its core"
    )
    assert late < 2.0
    assert max(delays) < PATIENCE_S
