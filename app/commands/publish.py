"""`vigil publish FILE`: play a recording or a simulation to a broker."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from app import settings
from app.clock import now_ms
from app.commands.arguments import add_broker, add_settings, chosen_settings
from app.ingest import recording
from app.mqtt import publish
from app.mqtt.broker import Broker
from app.mqtt.publish import Publication


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="JSON lines of readings, or the folder of a log")
    add_settings(parser)
    add_broker(parser)
    parser.add_argument(
        "--speed", type=float, default=1.0, metavar="N", help="1: as it happened (default); 0: at once"
    )
    parser.add_argument(
        "--clock", action="store_true", help='with its own time, for an ingest with clock = "simulation"'
    )
    parser.add_argument("--now", action="store_true", help="move all times so that the first one is now")


def run(arguments: argparse.Namespace) -> int:
    try:
        _publish(arguments, Broker.from_settings(chosen_settings(arguments)))
    except (settings.SettingsError, publish.PublishError, OSError) as error:
        print(f"vigil publish: {error}", file=sys.stderr)
        return 1
    return 0


def _publish(arguments: argparse.Namespace, broker: Broker) -> None:
    total = sum(1 for _ in _played(arguments))
    publications = _played(arguments)
    if arguments.speed:
        publications = recording.paced(publications, arguments.speed, time.monotonic, time.sleep)
    columns = (TextColumn("publishing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("publish", total=total)
        publish.send(broker, publications, lambda: progress.advance(task))
    print(f"{total} messages published to {broker.url}")


def _played(arguments: argparse.Namespace) -> Iterator[Publication]:
    """What is to be published, in order, with its times as they shall be."""
    publications = recording.read(arguments.file)
    if arguments.now:
        publications = recording.shifted(publications, now_ms())
    return recording.timed(publications, arguments.speed or 1.0) if arguments.clock else publications
