"""`vigil where WHAT`: where an item, product, patient, book or person probably is, and how it came there."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from app import log, settings, store
from app.cleaning.rebuild import load_once
from app.cleaning.setup import SNAPSHOTS, CleaningSetup
from app.commands.arguments import add_settings, chosen_settings
from app.commands.beside import running_place, running_settings
from app.place.scenario import Scenario
from app.settings import Settings
from app.store import ItemMove
from app.whereabouts.answers import Answers, Contents, HowMany, Place, Whereabout
from app.whereabouts.follower import Follower
from app.whereabouts.replenish import Shortage, shortages
from detectors.document import FaultyFileError

HOURS_BACK = 12
LISTED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="*", help="a tag, an id, a barcode, words of a name, or an area's name")
    parser.add_argument("--scenario", metavar="PLACE", help="default: the place that runs on these data")
    parser.add_argument(
        "--replenish",
        action="store_true",
        help="what is running out on its shelf, and what to carry from where",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit code 1 if nothing like it is known."""
    what = " ".join(arguments.what)
    if not what and not arguments.replenish:
        print("vigil where: name what you look for, or ask --replenish", file=sys.stderr)
        return 2
    try:
        chosen = running_settings(chosen_settings(arguments))
        path = running_place(arguments.scenario, chosen)
        place = load_once(path)
        setup = CleaningSetup(path, chosen.log, chosen.checkpoint / SNAPSHOTS, chosen.lateness_ms)
        now = Follower(setup).now()
    except (settings.SettingsError, FaultyFileError, LookupError, OSError, log.LogError) as error:
        print(f"vigil where: {error}", file=sys.stderr)
        return 1
    if arguments.replenish:
        print("\n".join(_replenish(shortages(place.plan, now.known, now.chances), place, arguments.json)))
        return 0
    lines = list(_json(what, place, now) if arguments.json else _words(what, place, now, chosen))
    print("\n".join(lines) if lines else f"Nothing like {what!r} is known here.")
    return 0 if lines else 1


def _json(what: str, place: Scenario, now: Answers) -> Iterator[str]:
    if (area := _area(what, place)) is not None:
        yield json.dumps(asdict(now.contents(area)))
        return
    for row in now.find(what):
        yield json.dumps(asdict(now.of(row)) | {"at_ms": now.now_ms})


def _words(what: str, place: Scenario, now: Answers, chosen: Settings) -> Iterator[str]:
    zone, rows = ZoneInfo(place.timezone), now.find(what)
    if (area := _area(what, place)) is not None:
        yield from _contents(now.contents(area), place.plan.area(area).title)
    elif len(rows) == 1:
        found = now.of(rows[0])
        yield from _one(found, zone)
        yield from _way(_moves(chosen, found.tag, now.now_ms), place, zone)
    elif rows:
        yield from _several(what, rows, now, place)


def _replenish(found: list[Shortage], place: Scenario, as_json: bool) -> Iterator[str]:
    titles = {area.name: area.title for area in place.plan.areas}
    for one in found:
        carry = ", ".join(f"{_span(source.number)} in {titles[source.area]}" for source in one.sources)
        words = (
            f"{titles[one.home]}: {one.title}, {_span(one.there)} of {one.belongs} ({_percent(one.chance)})"
        )
        yield (
            json.dumps(asdict(one))
            if as_json
            else f"{words}. " + (f"Carry: {carry}." if carry else "No more.")
        )
    if not found and not as_json:
        yield "No shelf is running out."


def _span(number: HowMany) -> str:
    return f"{number.low}" if number.low == number.high else f"{number.low} to {number.high}"


def _area(what: str, place: Scenario) -> str | None:
    known = {word.lower(): area.name for area in place.plan.areas for word in (area.name, area.title)}
    return known.get(what.lower())


def _one(found: Whereabout, zone: ZoneInfo) -> Iterator[str]:
    yield f"{_named(found)}: {_likely(found.places)}"
    if found.seen_ms:
        since = f", there since {_clock(found.since_ms, zone)}" if found.since_ms else ""
        yield f"Last read at {_clock(found.seen_ms, zone)} by {found.seen_by}{since}."


def _likely(places: tuple[Place, ...]) -> str:
    if not places:
        return "never heard."
    return ", ".join(f"{place.title} ({_percent(place.chance)})" for place in places) + "."


def _percent(chance: float) -> str:
    return "certainly" if chance > 0.9995 else f"{chance:.0%}" if chance <= 0.99 else f"{chance:.1%}"


def _several(what: str, rows: list[int], now: Answers, place: Scenario) -> Iterator[str]:
    titles = {area.name: area.title for area in place.plan.areas}
    spread = (f"{number:.1f} {titles.get(name, name)}" for name, number in now.spread(rows).items())
    yield f"{len(rows)} are called {what}: " + (", ".join(spread) or "none was ever heard") + "."
    yield from _first([now.of(row) for row in rows[:LISTED]], len(rows))


def _contents(found: Contents, title: str) -> Iterator[str]:
    number = found.number
    yield f"{title}: {_span(number)} (expected {number.expected:.1f})."
    there = [each for each in found.there if each.places[0].name == found.area]
    yield from _listed("Probably there", there, found.probably)
    yield from _listed("Belongs there and probably is not", list(found.missing), found.absent)


def _listed(words: str, found: list[Whereabout], of: int) -> Iterator[str]:
    if of:
        yield f"{words}: {of}"
    yield from _first(found[: min(of, LISTED)], of)


def _first(shown: list[Whereabout], of: int) -> Iterator[str]:
    for each in shown:
        yield f"  {_named(each)}: {_likely(each.places)}"
    if of > len(shown):
        yield f"  and {of - len(shown)} more"


def _moves(chosen: Settings, tag: str, now: int) -> list[ItemMove]:
    """What the store knows of its way; the answer does without."""
    try:
        engine = store.find_store(chosen.store, chosen.site)
        return store.way(engine, tag, now - HOURS_BACK * 3_600_000, now)
    except (OSError, sa.exc.SQLAlchemyError) as error:
        print(f"Its way is not known: {error}", file=sys.stderr)
        return []


def _way(moves: list[ItemMove], place: Scenario, zone: ZoneInfo) -> Iterator[str]:
    titles = {area.name: area.title for area in place.plan.areas}
    steps = [f"{_clock(move.at_ms, zone)} {titles.get(move.area, move.area)}" for move in moves]
    if steps:
        yield f"Its way in {HOURS_BACK} hours: " + " → ".join(steps)


def _named(found: Whereabout) -> str:
    return found.item if found.title == found.item else f"{found.title} ({found.item})"


def _clock(at_ms: int, zone: ZoneInfo) -> str:
    return datetime.fromtimestamp(at_ms / 1000, zone).strftime("%H:%M:%S")
