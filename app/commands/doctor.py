"""`vigil doctor`: checks Java, Spark, disk, store, broker and ports, and says how to fix what is wrong."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from rich.console import Console

from app import settings
from app.running import doctor


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--settings", type=Path, metavar="FILE", help="default: vigil.toml if there is one")


def run(arguments: argparse.Namespace) -> int:
    logging.getLogger("alembic").setLevel(logging.WARNING)
    try:
        chosen = settings.load(arguments.settings)
    except settings.SettingsError as error:
        print(f"vigil doctor: the settings have faults:\n{error}", file=sys.stderr)
        return 1
    console = Console(highlight=False)
    faults = 0
    for finding in doctor.examine(chosen):
        faults += bool(finding.fix)
        console.print(f"{'[red]✗[/]' if finding.fix else '[green]✓[/]'} {finding.name}: {finding.found}")
        if finding.fix:
            console.print(f"    → {finding.fix}")
    return 1 if faults else 0
