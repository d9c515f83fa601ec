"""`vigil export`: the alerts of the store as JSON lines or CSV, for a spreadsheet or another system."""

from __future__ import annotations

import argparse
import datetime
import os
import sys

import sqlalchemy as sa

from app import settings, store
from app.commands.arguments import add_settings, chosen_settings
from app.store import Filter


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_settings(parser)
    parser.add_argument(
        "--csv", action="store_true", help="CSV without the evidence; else JSON lines with all"
    )
    parser.add_argument("--detector", action="append", default=[], metavar="NAME", help="only its alerts")
    parser.add_argument("--severity", action="append", default=[], metavar="NAME", help="only such alerts")
    parser.add_argument("--sure", type=float, metavar="SHARE", help="only alerts at least so sure, as 0.9")
    parser.add_argument("--from", dest="begin", type=moment, metavar="TIME", help="in UTC if not said")
    parser.add_argument("--until", dest="end", type=moment, metavar="TIME")


def moment(text: str) -> int:
    """Milliseconds since 1970 of a time in ISO 8601."""
    given = datetime.datetime.fromisoformat(text)
    return int((given if given.tzinfo else given.replace(tzinfo=datetime.UTC)).timestamp() * 1000)


def run(arguments: argparse.Namespace) -> int:
    wanted = Filter(
        detectors=tuple(arguments.detector),
        severities=tuple(arguments.severity),
        from_ms=arguments.begin,
        until_ms=arguments.end,
        least_sure=arguments.sure,
    )
    try:
        chosen = chosen_settings(arguments)
        engine = store.open_store(chosen.store, chosen.site)
        alerts = store.all_alerts(engine, wanted)
        sys.stdout.writelines(store.as_csv(alerts) if arguments.csv else store.as_json_lines(alerts))
        sys.stdout.flush()
        engine.dispose()
    except BrokenPipeError:  # whoever read the alerts has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (settings.SettingsError, sa.exc.SQLAlchemyError, OSError) as error:
        print(f"vigil export: {error}", file=sys.stderr)
        return 1
    return 0
