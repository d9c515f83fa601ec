"""`vigil learn`: what the recording teaches of a place, in versions; the log names the one that counts."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from app import log, settings, store
from app.cleaning.learned import LearnedVersion, keep, name_of, versions
from app.cleaning.rebuild import load_once, stream_at
from app.cleaning.setup import SNAPSHOTS, CleaningSetup
from app.clock import now_ms
from app.commands.arguments import add_settings, chosen_settings
from app.commands.beside import running_place, running_settings
from app.log.by_time import positions_between
from app.place.scenario import Scenario
from app.settings import Settings
from app.whereabouts.findings import in_words
from app.whereabouts.from_recording import Lesson, NothingToLearnError, learn
from detectors.document import FaultyFileError

_EVER = 2**53
_TENTHS = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", nargs="?", help="the place; default: the one that runs on these data")
    add_settings(parser)
    parser.add_argument("--log", type=Path, metavar="FOLDER", help="another recording of the same place")
    parser.add_argument("--from", dest="begin", type=datetime.datetime.fromisoformat, metavar="TIME")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be learned")
    parser.add_argument("--list", action="store_true", help="the versions, and which one counts")
    parser.add_argument("--undo", action="store_true", help="back to the version before")


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = running_settings(chosen_settings(arguments))
        path = running_place(arguments.scenario, chosen)
        setup = CleaningSetup(path, chosen.log, chosen.checkpoint / SNAPSHOTS, chosen.lateness_ms)
        place = load_once(path)
        if arguments.list:
            return _list(setup, place, chosen)
        if arguments.undo:
            return _undo(setup, place, chosen)
        return _learn(arguments, setup, place, chosen)
    except (settings.SettingsError, FaultyFileError, LookupError, OSError, log.LogError) as error:
        print(f"vigil learn: {error}", file=sys.stderr)
    except (NothingToLearnError, sa.exc.SQLAlchemyError) as error:
        print(f"vigil learn: {error}", file=sys.stderr)
    return 1


def _learn(arguments: argparse.Namespace, setup: CleaningSetup, place: Scenario, chosen: Settings) -> int:
    recording = setup if arguments.log is None else replace(setup, log=arguments.log)
    start, end = log.earliest(recording.log), log.end(recording.log)
    if arguments.begin is not None:
        moment = arguments.begin.replace(tzinfo=ZoneInfo(place.timezone)).timestamp()
        start, _ = positions_between(recording.log, int(moment * 1000), _EVER)
    lesson = learn(recording, place, start, end, _progress())
    _tell(lesson, place)
    if arguments.dry_run:
        return 0
    engine = store.open_store(chosen.store, chosen.site)
    before = store.asked_to_learn(engine) or _by_itself(setup, place)
    found = _version(lesson, before)
    if found.name == before:
        print("That is what counts already: nothing changes.")
        return 0
    kept = keep(setup.learned, found)
    store.record_learned(engine, place.name, kept.name, now_ms())
    print(f"Version {kept.number} counts from the log's next place on; `vigil learn --undo` takes it back.")
    return 0


def _by_itself(setup: CleaningSetup, place: Scenario) -> str:
    """What the place has learned so far without being asked is kept as a version too, to go back to."""
    stream = stream_at(setup, log.end(setup.log))
    if stream.believed is None:
        raise NothingToLearnError(f"{place.name} does not follow whereabouts")
    rates = stream.believed.rates()
    found = tuple(in_words(place.plan, rates, stream.believed.heard()))
    version = LearnedVersion(name_of(rates), 0, "", now_ms(), stream.began, stream.now, found, rates)
    return keep(setup.learned, version).name


def _version(lesson: Lesson, before: str) -> LearnedVersion:
    return LearnedVersion(
        name_of(lesson.rates),
        0,
        before,
        now_ms(),
        lesson.from_ms,
        lesson.until_ms,
        lesson.found,
        lesson.rates,
    )


def _tell(lesson: Lesson, place: Scenario) -> None:
    zone = ZoneInfo(place.timezone)
    hours = (lesson.until_ms - lesson.from_ms) / 3_600_000
    print(
        f"{hours:.1f} hours of {place.title}, {_moment(lesson.from_ms, zone)} to "
        f"{_moment(lesson.until_ms, zone)}, {lesson.rows:,} rows:"
    )
    for sentence in lesson.found or ("Nothing that differs from what one would guess.",):
        print(f"  {sentence}")
    first, second = lesson.exits
    print(f"  With this, {second:,} readings at exits are told of this stretch; without, {first:,}.")


def _list(setup: CleaningSetup, place: Scenario, chosen: Settings) -> int:
    known = versions(setup.learned)
    if not known:
        print(f"{place.title} learns by itself; no version was kept yet.")
        return 0
    counts, zone = store.asked_to_learn(store.open_store(chosen.store, chosen.site)), ZoneInfo(place.timezone)
    for version in known:
        mark = "counts" if version.name == counts else ""
        stretch = f"{_moment(version.from_ms, zone)} to {_moment(version.until_ms, zone)}"
        what = version.found[0] if version.found else ""
        print(
            f"{version.number:>3}  {mark:<6}  learned {_moment(version.learned_ms, zone)}, {stretch}. {what}"
        )
    return 0


def _undo(setup: CleaningSetup, place: Scenario, chosen: Settings) -> int:
    engine = store.open_store(chosen.store, chosen.site)
    known = {version.name: version for version in versions(setup.learned)}
    counts = known.get(store.asked_to_learn(engine))
    if counts is None or counts.before not in known:
        raise NothingToLearnError("there is nothing to go back to")
    store.record_learned(engine, place.name, counts.before, now_ms())
    print(f"Version {known[counts.before].number} counts again, from the log's next place on.")
    return 0


def _progress() -> Callable[[float], None]:
    """A line for every tenth."""
    told = [0]

    def progress(share: float) -> None:
        if int(share * _TENTHS) > told[0]:
            told[0] = int(share * _TENTHS)
            print(f"learning: {told[0] * 100 // _TENTHS}%", file=sys.stderr, flush=True)

    return progress


def _moment(at_ms: int, zone: ZoneInfo) -> str:
    return datetime.datetime.fromtimestamp(at_ms / 1000, zone).strftime("%Y-%m-%d %H:%M")
