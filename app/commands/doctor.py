"""`vigil doctor`: checks Java, Spark, disk, store, broker and ports, and says how to fix what is wrong."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console

from app import settings
from app.commands.arguments import add_settings, chosen_settings
from app.running import doctor


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = chosen_settings(arguments)
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
