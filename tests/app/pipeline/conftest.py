"""Rows as ingest writes them, for a store with two thousand items, and the places where things are kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import log
from app import store as stores
from app.cleaning.setup import CleaningSetup
from app.log.row import STORED_SCHEMA, Row, status_row, to_batch
from app.place import scenario
from app.place.find import find_scenario
from app.place.scenario import Scenario

NOON = 1_800_000_000_000
STORE = find_scenario("store")
Write = Callable[[Sequence[Row]], None]


@cache
def _shop() -> Scenario:
    return scenario.load(STORE)


@pytest.fixture
def shop() -> Scenario:
    return _shop()


@pytest.fixture
def tag(shop: Scenario) -> str:
    return str(shop.items["tag"][0].as_py())


@pytest.fixture
def cleaning(tmp_path: Path) -> CleaningSetup:
    return CleaningSetup(STORE, tmp_path / "log", tmp_path / "snapshots", lateness_ms=500)


@pytest.fixture
def write(cleaning: CleaningSetup) -> Iterator[Write]:
    """Appends rows to the log."""
    writer = log.LogWriter(cleaning.log, STORED_SCHEMA)
    yield lambda rows: writer.append(to_batch(rows))
    writer.close()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    opened = stores.open_store(f"sqlite:///{tmp_path / 'store.db'}")
    yield opened
    opened.dispose()


def read(reader: str, tag: str, ts: int, rssi: float = -40.0) -> Row:
    return Row("reading", reader, 1, tag, ts, rssi, None, None, ts, f"vigil/readings/{reader}")


def stay(reader: str, tag: str, start: int, every: int, times: int) -> list[Row]:
    return [read(reader, tag, start + every * number) for number in range(times)]


def online(reader: str, ts: int) -> Row:
    return status_row(reader, ts, ts, '{"status": "online"}', topic=f"vigil/status/{reader}")


def theft(tag: str, at: int) -> list[Row]:
    """On the shelf for half a minute, then out of the door; a till that is heard last lets time pass."""
    return [
        *stay("shelf-denim", tag, at, 10_000, 4),
        *stay("main-exit-gate", tag, at + 60_000, 250, 6),
        online("till-1-pad", at + 62_000),
    ]


def visit(tag: str, at: int) -> list[Row]:
    """Seen at the exit and gone, while the exit's reader is still heard."""
    return [*stay("main-exit-gate", tag, at, 250, 6), online("main-exit-gate", at + 3_200)]


def until(done: Callable[[], object], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, f"not so after {seconds:.0f} s"
        time.sleep(0.02)
