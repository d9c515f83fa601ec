"""`vigil replay SCENARIO`: what detectors, or a draft in a file, would have raised on the recorded log."""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from dataclasses import asdict
from pathlib import Path
from zoneinfo import ZoneInfo

import sqlalchemy as sa

import detectors
from app import settings, store
from app.cleaning.setup import SNAPSHOTS, CleaningSetup
from app.clock import now_ms
from app.commands.arguments import add_settings, chosen_settings
from app.detection.alert import ReportedMatch, alerts
from app.detection.back_test import DRAFT, TimeRange, replay
from app.place import scenario
from app.place.find import find_scenario
from app.place.scenario import Scenario
from app.settings import Settings
from app.spark.session import session
from detectors.document import FaultyFileError
from sase.errors import QueryError
from sase.spark import Rule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", help="the place: a name such as store, or a scenario's file")
    add_settings(parser)
    parser.add_argument(
        "--log", type=Path, metavar="FOLDER", help="the recording (default: the settings' log)"
    )
    parser.add_argument("--detector", action="append", metavar="NAME", help="default: those the place has on")
    parser.add_argument("--draft", type=Path, metavar="FILE", help="a query in a file, instead of detectors")
    parser.add_argument("--from", dest="begin", type=datetime.datetime.fromisoformat, metavar="TIME")
    parser.add_argument("--until", dest="end", type=datetime.datetime.fromisoformat, metavar="TIME")
    parser.add_argument("--store", action="store_true", help="keep the alerts in the store, too")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = chosen_settings(arguments)
        path = find_scenario(arguments.scenario)
        return _replay(arguments, chosen, path, scenario.load(path))
    except (settings.SettingsError, FaultyFileError, LookupError, QueryError, OSError, ValueError) as error:
        print(f"vigil replay: {error}", file=sys.stderr)
        return 1


def _replay(arguments: argparse.Namespace, chosen: Settings, path: Path, place: Scenario) -> int:
    queries = _queries(arguments, place)
    setup = CleaningSetup(
        path, arguments.log or chosen.log, chosen.checkpoint / SNAPSHOTS, chosen.lateness_ms
    )
    part = TimeRange(_moment(arguments.begin, place), _moment(arguments.end, place))
    spark = session("vigil replay", master=chosen.spark_master)
    matches = replay(spark, place, setup, queries, part)
    if DRAFT in queries:
        _print_matches(matches, place, as_json=arguments.json)
    else:
        _print_alerts(arguments, matches, place, queries, store.open_store(chosen.store, chosen.site))
    print(f"{len(matches)} found", file=sys.stderr)
    return 0


def _queries(arguments: argparse.Namespace, place: Scenario) -> dict[str, Rule]:
    if arguments.draft:
        rule = Rule(arguments.draft.read_text(encoding="utf-8"))
        rule.compiled(DRAFT)
        return {DRAFT: rule}
    known = detectors.load()
    names = arguments.detector or list(place.detectors)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise LookupError(f"no detector {', '.join(unknown)}: one of {', '.join(known)}")
    return {name: Rule(known[name].query, known[name].values(place.detectors.get(name))) for name in names}


def _print_matches(matches: list[ReportedMatch], place: Scenario, *, as_json: bool) -> None:
    for match in matches:
        shown = json.dumps(asdict(match)) if as_json else json.dumps(match.events)
        print(shown if as_json else f"{_clock(match.detected_at, place)}  {shown}")


def _print_alerts(
    arguments: argparse.Namespace,
    matches: list[ReportedMatch],
    place: Scenario,
    queries: dict[str, Rule],
    engine: sa.Engine,
) -> None:
    silences = store.silences_between(engine, 0, 2**62)
    parameters = {name: rule.parameters for name, rule in queries.items()}
    told = list(alerts(matches, place, parameters, silences))
    for line, alert in zip(store.as_json_lines(told), told, strict=True):
        text = f"{_clock(alert.detected_ms, place)}  {alert.severity:<8} {alert.title}: {alert.told}"
        print(line.strip() if arguments.json else text)
    if arguments.store:
        store.record_alerts(engine, told, now_ms())


def _moment(local: datetime.datetime | None, place: Scenario) -> int | None:
    return None if local is None else int(local.replace(tzinfo=ZoneInfo(place.timezone)).timestamp() * 1000)


def _clock(ts: int, place: Scenario) -> str:
    moment = datetime.datetime.fromtimestamp(ts / 1000, ZoneInfo(place.timezone))
    return moment.strftime("%Y-%m-%d %H:%M:%S")
