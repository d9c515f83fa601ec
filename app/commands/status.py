"""`vigil status`: which parts are up, and the figures that matter."""

from __future__ import annotations

import argparse
import sys

import sqlalchemy as sa

from app import settings, store
from app.clock import now_ms
from app.commands.arguments import add_settings, chosen_settings
from app.running import status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit code 0 if every part is up."""
    try:
        chosen = chosen_settings(arguments)
        url = status.store_url(chosen, now_ms())
        if url != chosen.store:
            print(f"the demo in {chosen.data / status.DEMO}")
        engine = store.find_store(url, chosen.site if url == chosen.store else "")
        lines = status.parts(engine, now_ms())
        for line in lines:
            print(f"{line.name:<10} {line.state:<9} {line.detail}")
        for name, value in status.figures(engine, now_ms()):
            print(f"{name:<18} {value}")
        for told in status.log_words(chosen):
            print(f"{'log':<18} {told}")
    except sa.exc.DBAPIError as error:
        words = error if store.can_heal(error) else store.broken(error)
        print(f"vigil status: {words}", file=sys.stderr)
        return 1
    except (settings.SettingsError, sa.exc.SQLAlchemyError, OSError) as error:
        print(f"vigil status: {error}", file=sys.stderr)
        return 1
    return 0 if lines and all(line.state == "up" for line in lines) else 1
