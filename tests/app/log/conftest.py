"""The logs of both kinds."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.log import LogAddress
from tests.app.nats import NatsServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    started = NatsServer(tmp_path_factory.mktemp("nats"))
    started.start()
    yield started
    started.stop()


@pytest.fixture(params=["folder", "stream"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> LogAddress:
    """A log that does not exist yet."""
    if request.param == "folder":
        return tmp_path / "log"
    started: NatsServer = request.getfixturevalue("server")
    return started.address(f"s{uuid.uuid4().hex[:12]}")
