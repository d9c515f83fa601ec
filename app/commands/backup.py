"""`vigil backup FILE`: store, log and checkpoint of one moment, while Vigil stands still."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import sqlalchemy as sa

from app import settings
from app.clock import now_ms
from app.commands.arguments import add_settings, chosen_settings
from app.running.backup import BackupError, backup


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="where to write it, such as vigil-2026-03-02.tar.gz")
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        sizes = backup(chosen_settings(arguments), arguments.file, now_ms())
    except (settings.SettingsError, BackupError, OSError, sa.exc.SQLAlchemyError) as error:
        print(f"vigil backup: {error}", file=sys.stderr)
        return 1
    print(f"{arguments.file}: " + ", ".join(f"{name} {size:,} bytes" for name, size in sizes.items()))
    return 0
