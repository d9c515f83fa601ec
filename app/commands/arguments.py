"""Arguments that many commands share, and the settings that they choose."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from app import settings
from app.settings import Settings
from detectors import library


def add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--settings", type=Path, metavar="FILE", help="default: vigil.toml if there is one")


def add_broker(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--broker", metavar="URL", help="mqtt://host:1883 or mqtts://host:8883")


def chosen_settings(arguments: argparse.Namespace) -> Settings:
    """Those of `--settings`, with the broker of `--broker` where a command has it and it is given."""
    loaded = settings.load(arguments.settings)
    library.use(Path(loaded.detectors) if loaded.detectors else None)
    broker = getattr(arguments, "broker", None)
    return replace(loaded, broker_url=broker) if broker else loaded
