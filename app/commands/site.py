"""`vigil site`: the sites that share a store."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

import sqlalchemy as sa

from app import settings, site_name, store
from app.clock import now_ms
from app.commands.arguments import add_settings, chosen_settings
from app.commands.user import OPERATOR
from app.hub import hub_streams
from app.log import AddressError, LogError
from app.log_address import stream_address
from app.place import scenario
from app.place.find import find_scenario
from app.settings import Settings
from app.store import Site, SiteError
from detectors.document import FaultyFileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_settings(parser)
    actions = parser.add_subparsers(dest="action", metavar="WHAT", required=True)
    adding = actions.add_parser("add", help="add a site; its processes then run with `site = NAME`")
    adding.add_argument("name", help="letters a-z, digits and _")
    adding.add_argument("scenario", help="the site's file, or the name of one that comes with Vigil")
    adding.add_argument("--title", help="what people call it; default: the scenario's title and the name")
    on_map = "its place on the map of the sites"
    adding.add_argument("--latitude", type=float, help=f"{on_map}, in degrees north")
    adding.add_argument("--longitude", type=float, help="and east")
    adding.add_argument("--x", type=float, help=f"{on_map}, where that is a plan of your own")
    adding.add_argument("--y", type=float)
    where = adding.add_mutually_exclusive_group()
    where.add_argument(
        "--log-url", default="", metavar="URL", help="where pages elsewhere can read its recording"
    )
    where.add_argument(
        "--hub",
        action="store_true",
        help="at the hub of log_url: make its streams there, which follow the site's",
    )
    actions.add_parser("list", help="list the sites")
    removing = actions.add_parser("remove", help="remove a site with all that it has in the store")
    removing.add_argument("name")
    removing.add_argument("--yes", action="store_true", help="do not ask")


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = chosen_settings(arguments)
        return _do(store.open_store(chosen.store), chosen, arguments)
    except sa.exc.DBAPIError as error:
        print(f"vigil site: {store.broken(error)}", file=sys.stderr)
    except (
        settings.SettingsError,
        SiteError,
        FaultyFileError,
        LookupError,
        LogError,
        AddressError,
        OSError,
    ) as error:
        print(f"vigil site: {error}", file=sys.stderr)
    return 1


def _do(engine: sa.Engine, chosen: Settings, arguments: argparse.Namespace) -> int:
    match arguments.action:
        case "add":
            added = _site(arguments, chosen)
            if arguments.hub:
                hub_streams.follow(chosen, added.name)
            store.add_site(engine, OPERATOR, added)
            print(f'{added.name}: {added.title}. Its processes run with site = "{added.name}".')
        case "remove":
            if not arguments.yes and not _is_sure(arguments.name):
                return 1
            found = store.find_site(engine, arguments.name)
            store.remove_site(engine, OPERATOR, arguments.name)
            if found is not None and hub_streams.is_on(chosen, found):
                _forget(chosen, found)
        case "list":
            for site in store.list_sites(engine):
                print(f"{site.name:<20} {site.title:<40} {site.scenario}  {site.timezone}")
    return 0


def _site(arguments: argparse.Namespace, chosen: Settings) -> Site:
    """What is wrong with the name is said before anything else is looked at."""
    if words := site_name.fault(arguments.name):
        raise SiteError(words)
    path = find_scenario(arguments.scenario)
    place = scenario.load(path)
    log_url = str(hub_streams.address(chosen, arguments.name)) if arguments.hub else arguments.log_url
    if arguments.log_url:
        stream_address(arguments.log_url, {}, arguments.name)
    own = arguments.scenario.endswith(".yaml")
    title = f"{place.title}, {arguments.name}" if arguments.title is None else arguments.title
    kept = str(path) if own else arguments.scenario
    added = Site(arguments.name, title, kept, place.timezone, log_url, now_ms())
    return _placed(added, arguments)


def _placed(site: Site, arguments: argparse.Namespace) -> Site:
    on_earth, on_plan = (
        (arguments.longitude, arguments.latitude),
        (arguments.x, arguments.y),
    )
    if on_earth == (None, None):
        return replace(site, x=on_plan[0], y=on_plan[1])
    if on_plan != (None, None):
        raise SiteError("a site is on one map: give latitude and longitude, or x and y")
    return replace(site, x=on_earth[0], y=on_earth[1], on_earth=True)


def _forget(chosen: Settings, site: Site) -> None:
    try:
        hub_streams.forget(chosen, site.name)
    except LogError as error:
        raise SiteError(
            f"{site.name} is removed, but not what the hub has of it: {error} "
            "Then add it again with --hub and remove it."
        ) from error


def _is_sure(name: str) -> bool:
    shown = name[: site_name.LONGEST_NAME]
    if not sys.stdin.isatty():
        print(f"vigil site: say --yes: all that {shown} has in the store will be gone", file=sys.stderr)
        return False
    return input(f"All that {shown} has in the store will be gone. Its name again: ") == name
