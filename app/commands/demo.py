"""`vigil demo [SCENARIO]`: a place, its readers and its alerts, live, with nothing to set up."""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import socket
import sys
import time
from pathlib import Path

from rich.console import Console

from app import settings, store
from app.demo.change_place import PlaceChange
from app.demo.hurried_place import HASTE, hurried
from app.demo.opening import Opening
from app.mqtt import embedded
from app.place import scenario
from app.place.find import find_scenario
from app.place.radio import PRESETS
from app.place.scenario import Scenario
from app.running import parts
from app.running.console import SupervisedRun
from app.running.supervisor import Supervisor
from app.settings import Settings
from app.spark import java
from detectors.document import FaultyFileError

MARK = "demo.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenario", nargs="?", default="store", help="store (default), ward, library, home, or a file"
    )
    parser.add_argument("--radio", choices=PRESETS, help="instead of the scenario's own")
    parser.add_argument("--port", type=int, default=8501, help="of the pages (default 8501)")
    parser.add_argument("--data", type=Path, default=Path("data/demo"), help="emptied at the start")


def run(arguments: argparse.Namespace) -> int:
    console = Console(highlight=False)
    try:
        path = find_scenario(arguments.scenario).resolve()
        place = scenario.load(path)
        java.find()
    except (FaultyFileError, LookupError, OSError, RuntimeError) as error:
        print(f"vigil demo: {error}", file=sys.stderr)
        return 1
    if place.simulation is None:
        print(
            f"vigil demo: {place.name} is a real place and has no simulation: use vigil run", file=sys.stderr
        )
        return 1
    if not _emptied(arguments.data):
        print(
            f"vigil demo: {arguments.data} is not a demo's folder: choose another with --data",
            file=sys.stderr,
        )
        return 1
    chosen = _settings(arguments.data.resolve(), _free(arguments.port))
    while True:
        try:
            _play(console, chosen, path, place, ("--radio", arguments.radio) if arguments.radio else ())
            return 0
        except PlaceChange as wish:
            # The same port and password: pages that are open find their way back by themselves.
            path = find_scenario(wish.name)
            place = scenario.load(path)
            _emptied(chosen.data)


def _emptied(folder: Path) -> bool:
    """Begin with nothing, but never delete what is not a demo's."""
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        return False
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / MARK).write_text("The demo empties this folder whenever it starts.\n")
    return True


def _settings(data: Path, port: int) -> Settings:
    """Everything on loopback, with a password that nobody has to know."""
    return Settings(
        data=data,
        broker_url=f"embedded://{embedded.HOST}:{_free(0)}",
        broker_user=embedded.USER,
        broker_password=secrets.token_urlsafe(16),
        dashboard_port=port,
        clock="simulation",
    )


def _play(console: Console, chosen: Settings, path: Path, place: Scenario, radio: tuple[str, ...]) -> None:
    engine = store.open_store(chosen.store)
    logs = chosen.data / "logs"
    path = hurried(path, chosen.data / "place")
    running = [
        parts.embedded_broker(chosen),
        parts.ingest(after=("broker",)),
        parts.pipeline(str(path), engine),
        parts.dashboard(str(path), chosen, "--demo"),
        # Before the pipeline is up: what is where has been read by then, and somebody is on the way out.
        parts.simulator(str(path), ("ingest",), "--haste", str(HASTE), *radio),
    ]
    environment = os.environ | settings.as_environment(chosen)
    supervisor = Supervisor(running, environment, logs, time.monotonic)
    console.print(f"[bold]{place.title}[/]: {place.summary}")
    console.print(
        f"Starting {len(running)} parts; the first start of Spark takes half a minute. Logs: {logs}"
    )
    SupervisedRun(supervisor, engine, console, Opening(console, engine, chosen, place)).run()


def _free(port: int) -> int:
    """The port if it is free, else any that is."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((embedded.HOST, port))
        except OSError:
            probe.bind((embedded.HOST, 0))
        return int(probe.getsockname()[1])
