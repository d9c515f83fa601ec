"""`vigil restore FILE`: make store, log and checkpoint what a backup says, while Vigil stands still."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import sqlalchemy as sa

from app import settings
from app.commands.arguments import add_settings, chosen_settings
from app.running.backup import BackupError, restore


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a backup of `vigil backup`")
    parser.add_argument("--replace", action="store_true", help="move aside what is there")
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = chosen_settings(arguments)
        manifest = restore(chosen, arguments.file, replace=arguments.replace)
    except (settings.SettingsError, BackupError, OSError, sa.exc.SQLAlchemyError) as error:
        print(f"vigil restore: {error}", file=sys.stderr)
        return 1
    print(f"{chosen.data} is what {arguments.file} says: the log ends at {manifest['position']}")
    return 0
