"""`vigil run SCENARIO`: everything against a real broker and store, under one supervisor."""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa
from rich.console import Console

from app import settings, store
from app.commands.arguments import add_settings, chosen_settings
from app.place import scenario
from app.running import parts
from app.running.console import SupervisedRun
from app.running.site_place import find_place
from app.running.supervisor import Supervisor
from app.settings import Settings, hidden
from detectors.document import FaultyFileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenario",
        nargs="?",
        help="the site's file, or the name of one that comes with Vigil; default: that of the site",
    )
    add_settings(parser)
    parser.add_argument(
        "--simulate", action="store_true", help="let the scenario's simulation play the readers"
    )


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = chosen_settings(arguments)
        path = find_place(arguments.scenario, chosen).resolve()
        scenario.load(path)
        engine = store.open_store(chosen.store, chosen.site)
        store.forget_parts(engine)
    except sa.exc.DBAPIError as error:
        print(f"vigil run: {store.broken(error)}\nvigil doctor says more.", file=sys.stderr)
        return 1
    except (settings.SettingsError, FaultyFileError, LookupError, OSError) as error:
        print(f"vigil run: {error}\nvigil doctor says more.", file=sys.stderr)
        return 1
    if arguments.simulate:
        chosen = replace(chosen, clock="simulation")
    _keep(chosen, path, engine, simulate=arguments.simulate)
    return 0


def _keep(chosen: Settings, path: Path, engine: sa.Engine, *, simulate: bool) -> None:
    logs = chosen.data / "logs"
    own = [parts.embedded_broker(chosen)] if chosen.own_broker else []
    running = [
        *own,
        parts.ingest(after=tuple(part.name for part in own)),
        parts.pipeline(str(path), engine),
        parts.dashboard(str(path), chosen),
        *([parts.simulator(str(path), ("ingest",))] if simulate else []),
    ]
    console = Console(highlight=False)
    console.print(f"Broker {chosen.broker_url}, store {hidden(chosen.store)}, Spark {chosen.spark_master}")
    scheme = "https" if chosen.dashboard_certificate else "http"
    console.print(f"Pages at {scheme}://{chosen.dashboard_host}:{chosen.dashboard_port}, logs in {logs}")
    environment = os.environ | settings.as_environment(chosen)
    supervisor = Supervisor(running, environment, logs, time.monotonic)
    SupervisedRun(supervisor, engine, console, lambda _states: None).run()
