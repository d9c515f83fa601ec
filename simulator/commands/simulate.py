"""`vigil simulate SCENARIO`: play a scenario to a broker or a file, with the truth beside it."""

from __future__ import annotations

import argparse
import datetime
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TextIO
from zoneinfo import ZoneInfo

from app import settings
from app.clock import now_ms
from app.commands.arguments import add_settings, chosen_settings
from app.mqtt.broker import Broker
from app.place import scenario
from app.place.find import find_scenario
from app.place.radio import PRESETS
from app.place.scenario import Scenario
from detectors.document import FaultyFileError
from sase.language.duration import milliseconds
from simulator.output.live import Live, PlayClock
from simulator.output.report_file import ReportFile
from simulator.play import Play
from simulator.staging.stage import CommandError
from simulator.truth.incident import Incident


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", help="a file, or the name of a scenario that comes with Vigil")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same play (default 1)")
    add_radio(parser)
    parser.add_argument("--only", choices=("script", "rates"), help="leave the other out")
    parser.add_argument("--length", type=duration, metavar="DURATION", help="such as '2 hours'")
    parser.add_argument("--start", type=datetime.datetime.fromisoformat, metavar="TIME", help="local time")
    parser.add_argument("--truth", type=Path, metavar="FILE", help="what really happened, as JSON lines")
    parser.add_argument("--out", type=Path, metavar="FILE", help="readings to a .jsonl or .parquet file")
    parser.add_argument("--broker", metavar="URL", help="readings to a broker, from now on (the default)")
    add_settings(parser)
    parser.add_argument(
        "--haste", type=float, default=1.0, metavar="N", help="0.1: people stay a tenth as long"
    )
    parser.add_argument("--speed", type=float, default=1.0, metavar="N", help="with a broker: 1 is real time")


def run(arguments: argparse.Namespace) -> int:
    try:
        loaded = scenario.load(find_scenario(arguments.scenario))
        with ExitStack() as open_files:
            truth = open_files.enter_context(arguments.truth.open("w")) if arguments.truth else None
            if arguments.out:
                _to_file(arguments, loaded, open_files.enter_context(ReportFile(arguments.out)), truth)
            else:
                _to_broker(arguments, loaded, truth)
    except (FaultyFileError, CommandError, settings.SettingsError, LookupError, OSError, ValueError) as error:
        print(f"vigil simulate: {error}", file=sys.stderr)
        return 1
    return 0


def _to_file(arguments: argparse.Namespace, place: Scenario, out: ReportFile, truth: TextIO | None) -> None:
    if place.simulation is None:
        raise ValueError(f"{place.name} is a real place: it has no simulation")
    play = _play(arguments, place, _start(arguments, place), arguments.length or place.simulation.length_ms)
    began, count = time.monotonic(), 0
    for scene in play.scenes():
        out.write(scene.reports)
        count += scene.reports.num_rows
        for incident in scene.incidents:
            _note(truth, incident)
    took = time.monotonic() - began
    print(f"{count:,} reports to {arguments.out} in {took:.1f} s, {count / max(took, 1e-3):,.0f}/s")


def _to_broker(arguments: argparse.Namespace, place: Scenario, truth: TextIO | None) -> None:
    chosen = chosen_settings(arguments)
    start = _start(arguments, place) or now_ms()
    play = _play(arguments, place, start, arguments.length)
    live = Live(Broker.from_settings(chosen), play)
    print(f"playing {place.title} to {chosen.broker_url}, seed {arguments.seed}; Ctrl-C ends it", flush=True)
    with suppress(KeyboardInterrupt):
        live.run(
            arguments.speed, PlayClock(time.monotonic, time.sleep), lambda incident: _note(truth, incident)
        )
    live.close()


def _play(arguments: argparse.Namespace, place: Scenario, start: int | None, length: int | None) -> Play:
    parts = (arguments.only,) if arguments.only else ("rates", "script")
    return Play(
        place,
        arguments.seed,
        radio=arguments.radio,
        noise=arguments.noise,
        start=start,
        length_ms=length,
        parts=parts,
        haste=arguments.haste,
    )


def _start(arguments: argparse.Namespace, place: Scenario) -> int | None:
    if arguments.start is None:
        return None
    return int(arguments.start.replace(tzinfo=ZoneInfo(place.timezone)).timestamp() * 1000)


def _note(truth: TextIO | None, incident: Incident) -> None:
    print(f"  {incident.detector}: {incident.subject}", flush=True)
    if truth is not None:
        print(incident.json(), file=truth, flush=True)


def add_radio(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--radio", choices=PRESETS, help="instead of the scenario's own")
    parser.add_argument(
        "--noise", type=float, default=1.0, metavar="N", help="0: perfect radios; 2: twice as bad"
    )


def duration(text: str) -> int:
    length = milliseconds(text)
    if length is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no duration such as '2 hours'")
    return length
