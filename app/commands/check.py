"""`vigil check FILES`: say everything that is wrong with the detectors and these scenarios."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import detectors
from app import settings
from app.commands.arguments import add_settings, chosen_settings
from app.place import scenario
from detectors.document import Fault, FaultyFileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="SCENARIO", help="such as scenarios/*.yaml")
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen_settings(arguments)  # they name the folder of the site's own detectors
    except settings.SettingsError as error:
        print(f"vigil check: {error}", file=sys.stderr)
        return 1
    faults = _faults(arguments.files)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        print(f"{len(faults)} faults", file=sys.stderr)
        return 1
    print(f"{len(detectors.load())} detectors and {len(arguments.files)} scenarios are in order")
    return 0


def _faults(files: list[Path]) -> list[Fault]:
    """Scenarios cannot be judged while the detectors they switch on have faults of their own."""
    try:
        detectors.load()
    except FaultyFileError as error:
        return list(error.faults)
    found: list[Fault] = []
    for file in files:
        try:
            scenario.load(file)
        except FaultyFileError as error:
            found += error.faults
    return found
