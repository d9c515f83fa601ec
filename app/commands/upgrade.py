"""`vigil upgrade`: say what this version does to the data of an earlier one; back them up; do it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from app import log, settings, store
from app.clock import now_ms
from app.commands.arguments import add_settings, chosen_settings
from app.log.row import STORED_SCHEMA
from app.log.segment import schema_of, segments
from app.running.backup import BackupError, backup
from app.settings import Settings
from app.store import dump


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    parser.add_argument("--backup", type=Path, metavar="FILE", help="default: a new file among the data")
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = chosen_settings(arguments)
        for line in steps(chosen):
            print(line)
        if not arguments.dry_run:
            _upgrade(chosen, arguments.backup)
    except (settings.SettingsError, BackupError, log.LogError, OSError, sa.exc.SQLAlchemyError) as error:
        print(f"vigil upgrade: {error}", file=sys.stderr)
        return 1
    return 0


def steps(chosen: Settings) -> Iterator[str]:
    """What there is to do, in words; nothing is changed."""
    engine = store.find_store(chosen.store, chosen.site)
    with engine.connect() as connection:
        found = dump.revision(connection)
    newest = dump.newest_revision(engine)
    same = "is of this version" if found == newest else f"goes from schema {found or 'none'} to {newest}"
    yield f"store: {same}"
    yield f"log: {_log(chosen)}"
    has_checkpoint = (chosen.checkpoint / "offsets").is_dir()
    yield "checkpoint: " + ("goes on as it is; alerts keep their ids" if has_checkpoint else "none yet")
    engine.dispose()


def _log(chosen: Settings) -> str:
    if chosen.log_url:
        return f"{chosen.log} is read as it is"
    present = segments(chosen.log_folder)
    old = sum(schema_of(segment) != STORED_SCHEMA for segment in present)
    return f"{len(present)} files, {old} of an earlier version; they are read as they are"


def _upgrade(chosen: Settings, target: Path | None) -> None:
    at_ms = now_ms()
    folder = chosen.data / "backups"
    folder.mkdir(parents=True, exist_ok=True)
    file = target or folder / f"before-upgrade-{at_ms}.tar.gz"
    backup(chosen, file, at_ms)
    print(f"backup: {file}")
    store.open_store(chosen.store, chosen.site).dispose()
    print("upgraded: start Vigil as before; `vigil restore` goes back")
