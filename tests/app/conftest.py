"""Fixtures of the app's tests: a PostgreSQL server per test session."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app import postgres as databases
from tests.app.postgres import Postgres


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
