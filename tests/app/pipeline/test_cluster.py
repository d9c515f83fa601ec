"""A master's URL is all it takes to leave the laptop: the same command on a standalone cluster."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from app import java
from app.cleaned import Place
from app.parts import listens
from app.spark import jvm, spark_home

from .conftest import NOON, Write, theft, until

CLASSES = "org.apache.spark.deploy"


@contextmanager
def daemon(*arguments: str) -> Iterator[None]:
    environment = os.environ | {"SPARK_HOME": str(spark_home()), "SPARK_LOCAL_IP": "127.0.0.1"}
    process = subprocess.Popen(jvm(java.find(), "512m", *arguments), env=environment)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def master() -> Iterator[str]:
    """The URL of a master with one worker, both on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    url = f"spark://127.0.0.1:{port}"
    host = ("--host", "127.0.0.1", "--webui-port", "0")
    with ExitStack() as cluster:
        cluster.enter_context(daemon(f"{CLASSES}.master.Master", *host, "--port", str(port)))
        until(listens("127.0.0.1", port), 120)
        cluster.enter_context(daemon(f"{CLASSES}.worker.Worker", *host, "--cores", "2", url))
        yield url


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_a_replay_runs_on_a_cluster_by_its_url(
    master: str, place: Place, write: Write, tag: str, tmp_path: Path
) -> None:
    write(theft(tag, NOON))
    environment = os.environ | {"VIGIL_SPARK_MASTER": master, "VIGIL_DATA": str(tmp_path / "data")}
    command = [sys.executable, "-m", "app.cli", "replay", "store", "--log", str(place.log)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "high     Shoplifting: Jeans size 28 (JEAN-28-001) left through main-exit" in done.stdout
