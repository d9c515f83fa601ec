"""`vigil site`: the sites that share a store."""

from __future__ import annotations

import argparse
import sys

import sqlalchemy as sa

from app import settings, site_name, store
from app.clock import now_ms
from app.commands.arguments import add_settings, chosen_settings
from app.commands.user import OPERATOR
from app.log_address import AddressError, stream_address
from app.place import scenario
from app.place.find import find_scenario
from app.store import Site, SiteError
from detectors.document import FaultyFileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_settings(parser)
    actions = parser.add_subparsers(dest="action", metavar="WHAT", required=True)
    adding = actions.add_parser("add", help="add a site; its processes then run with `site = NAME`")
    adding.add_argument("name", help="letters a-z, digits and _")
    adding.add_argument("scenario", help="the site's file, or the name of one that comes with Vigil")
    adding.add_argument("--title", help="what people call it; default: the scenario's title and the name")
    adding.add_argument(
        "--log-url", default="", metavar="URL", help="where pages elsewhere can read its recording"
    )
    actions.add_parser("list", help="list the sites")
    removing = actions.add_parser("remove", help="remove a site with all that it has in the store")
    removing.add_argument("name")
    removing.add_argument("--yes", action="store_true", help="do not ask")


def run(arguments: argparse.Namespace) -> int:
    try:
        engine = store.open_store(chosen_settings(arguments).store)
        return _do(engine, arguments)
    except sa.exc.DBAPIError as error:
        print(f"vigil site: {store.broken(error)}", file=sys.stderr)
    except (settings.SettingsError, SiteError, FaultyFileError, LookupError, AddressError, OSError) as error:
        print(f"vigil site: {error}", file=sys.stderr)
    return 1


def _do(engine: sa.Engine, arguments: argparse.Namespace) -> int:
    match arguments.action:
        case "add":
            added = _site(arguments)
            store.add_site(engine, OPERATOR, added)
            print(f'{added.name}: {added.title}. Its processes run with site = "{added.name}".')
        case "remove":
            if not arguments.yes and not _is_sure(arguments.name):
                return 1
            store.remove_site(engine, OPERATOR, arguments.name)
        case "list":
            for site in store.list_sites(engine):
                print(f"{site.name:<20} {site.title:<40} {site.scenario}  {site.timezone}")
    return 0


def _site(arguments: argparse.Namespace) -> Site:
    """What is wrong with the name is said before anything else is looked at."""
    if words := site_name.fault(arguments.name):
        raise SiteError(words)
    path = find_scenario(arguments.scenario)
    place = scenario.load(path)
    if arguments.log_url:
        stream_address(arguments.log_url, {}, arguments.name)
    own = arguments.scenario.endswith(".yaml")
    title = f"{place.title}, {arguments.name}" if arguments.title is None else arguments.title
    kept = str(path) if own else arguments.scenario
    return Site(arguments.name, title, kept, place.timezone, arguments.log_url, now_ms())


def _is_sure(name: str) -> bool:
    shown = name[: site_name.LONGEST_NAME]
    if not sys.stdin.isatty():
        print(f"vigil site: say --yes: all that {shown} has in the store will be gone", file=sys.stderr)
        return False
    return input(f"All that {shown} has in the store will be gone. Its name again: ") == name
