"""`vigil log copy FROM TO`: a log from a folder into a stream of JetStream, or back."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from app import log, settings
from app.commands.arguments import add_settings, chosen_settings
from app.commands.ingest import CLIENT_ID
from app.ingest import dead_letters
from app.log.copying import copy, copy_note
from app.log_address import is_url
from app.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["copy"])
    parser.add_argument("source", metavar="FROM", help="a folder, or a stream such as nats://host:4222/vigil")
    parser.add_argument("target", metavar="TO", help="another one; a copy that was cut off goes on")
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = chosen_settings(arguments)
        source, target = (_where(text, chosen) for text in (arguments.source, arguments.target))
        rows, letters = _copy(source, target)
    except (settings.SettingsError, log.AddressError, log.LogError, OSError) as error:
        print(f"vigil log: {error}", file=sys.stderr)
        return 1
    print(f"{target}: {rows:,} rows and {letters:,} dead letters, as in {source}")
    return 0


def _where(text: str, chosen: Settings) -> log.LogAddress:
    if is_url(text):
        return chosen.log_at(text)
    folder = Path(text)
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file: a log is a folder, or nats://host:4222/stream")
    return folder


def _copy(source: log.LogAddress, target: log.LogAddress) -> tuple[int, int]:
    if log.end(source) == 0:
        raise log.LogError(f"{source} is empty: nothing to copy")
    console = Console(stderr=True)
    letters, copied = (log.beside(where, dead_letters.FOLDER) for where in (source, target))
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        counts = _shown(copy(source, target), bar, "rows"), _shown(copy(letters, copied), bar, "dead letters")
    copy_note(source, target, CLIENT_ID)
    copy_note(letters, copied, dead_letters.SETTLED)
    return counts


def _shown(steps: Iterator[tuple[int, int]], bar: Progress, words: str) -> int:
    task, done = bar.add_task(words, total=None), 0
    for done, total in steps:
        bar.update(task, completed=done, total=total)
    return done
