"""Fixtures of the app's tests: a store with two thousand items, a log, and a PostgreSQL server."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import log
from app import store as stores
from app.cleaning.setup import CleaningSetup
from app.log.row import STORED_SCHEMA, to_batch
from app.place import scenario
from app.place.find import find_scenario
from app.place.scenario import Scenario
from tests.app import postgres as databases
from tests.app.postgres import Postgres
from tests.app.rows import Write

STORE = find_scenario("store")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    programs = databases.installed()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    # Not below pytest's folder, which only its owner may enter; a socket's path must also be short.
    folder = Path(tempfile.mkdtemp(prefix="vigil-pg-", dir="/tmp"))
    server = Postgres(programs, folder)
    server.create()
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)


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
