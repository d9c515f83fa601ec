"""`vigil constraints SOURCE`: what can never happen, from a workflow or learned from a history."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.progress import Progress

from app import settings
from app.commands.arguments import add_settings, chosen_settings
from app.constraints import sources, told
from app.constraints.candidates import LEAST_SUPPORT, candidates
from app.constraints.case_history import CaseHistory, TooManyTypesError
from app.constraints.sources import NoHistoryError, Stretch
from app.constraints.type_names import is_type
from app.constraints.workflow import of_workflow
from app.constraints.xml_elements import UnusableWorkflowError
from app.log.errors import LogDamagedError, LogTrimmedError
from app.match.file import EventFile, EventFileError
from app.place import scenario
from app.place.find import find_scenario
from app.place.scenario import Scenario
from detectors.document import FaultyFileError
from sase.language.duration import milliseconds

_WORKFLOWS = (".bpmn", ".xml")
_EVENTS = (".jsonl", ".ndjson", ".json", ".csv", ".parquet")
_LEARNED_FROM = 0.7  # the rest is held back
_ITEM = ("id",)
_CASE = ("case_id",)
_MEMORY = "12 hours"
_FAULTS = (
    *(UnusableWorkflowError, EventFileError, NoHistoryError, TooManyTypesError, FaultyFileError),
    *(settings.SettingsError, LogDamagedError, LogTrimmedError, LookupError, OSError),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="a workflow (.bpmn), events (.parquet, .csv, .jsonl), or a scenario, whose log is read",
    )
    parser.add_argument(
        "--by", type=_names, metavar="ATTRIBUTE", help="what makes a case, such as order_id; a,b for two"
    )
    parser.add_argument(
        "--for", dest="memory", type=_duration, metavar="DURATION", help="how long a case is remembered"
    )
    parser.add_argument("--process", metavar="NAME", help="which process of a workflow's file")
    parser.add_argument("--types", type=_names, metavar="A,B", help="learn of these types only")
    parser.add_argument(
        "--least",
        type=int,
        default=LEAST_SUPPORT,
        metavar="CASES",
        help=f"how many cases could have broken what is learned (default {LEAST_SUPPORT})",
    )
    parser.add_argument("--log", type=Path, metavar="FOLDER", help="default: the settings' log")
    parser.add_argument("--from", dest="begin", type=datetime.datetime.fromisoformat, metavar="TIME")
    parser.add_argument("--until", dest="end", type=datetime.datetime.fromisoformat, metavar="TIME")
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        lines = _lines(arguments)
    except _FAULTS as error:
        print(f"vigil constraints: {error}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0


def _lines(arguments: argparse.Namespace) -> list[str]:
    suffix = Path(arguments.source).suffix.lower()
    if suffix in _WORKFLOWS:
        return _of_workflow(arguments)
    if suffix in _EVENTS:
        return _of_file(arguments)
    return _of_scenario(arguments)


def _of_workflow(arguments: argparse.Namespace) -> list[str]:
    found = of_workflow(Path(arguments.source), arguments.process)
    for note in found.notes:
        print(f"vigil constraints: {note}", file=sys.stderr)
    if arguments.by is None:
        print("vigil constraints: BY case_id stands for what makes a case; --by names it", file=sys.stderr)
    texts = found.known.texts()
    if not texts:
        raise UnusableWorkflowError(f"{arguments.source}: every order of its tasks is possible")
    return told.listed(texts, [""] * len(texts), told.group(arguments.by or _CASE, arguments.memory))


def _of_file(arguments: argparse.Namespace) -> list[str]:
    if arguments.by is None:
        raise NoHistoryError("--by is missing: it names the attributes of a case, such as order_id")
    file = EventFile(arguments.source, skip_bad=False)
    return _learned(arguments, sources.of_file(file, arguments.by), arguments.by, arguments.memory)


def _of_scenario(arguments: argparse.Namespace) -> list[str]:
    path, chosen = find_scenario(arguments.source), chosen_settings(arguments)
    place, by = scenario.load(path), arguments.by or _ITEM
    part = _moment(arguments.begin, place, 0), _moment(arguments.end, place, 2**62)
    stretches = sources.of_recording(place, arguments.log or chosen.log, chosen.lateness_ms, by, *part)
    return told.section(_learned(arguments, stretches, by, arguments.memory or _MEMORY))


def _learned(
    arguments: argparse.Namespace, stretches: Iterable[Stretch], by: Sequence[str], memory: str | None
) -> list[str]:
    types = frozenset(arguments.types) if arguments.types else None
    history = CaseHistory(milliseconds(memory) if memory else None, types)
    _read(history, stretches)
    if history.cut_short:
        words = "cases were closed early, because too many were open at once; --for closes silent ones"
        print(f"vigil constraints: {history.cut_short:,} {words}", file=sys.stderr)
    if unwritable := [name for name in history.types if not is_type(name)]:
        print(f"vigil constraints: no query can name {', '.join(unwritable)}: left out", file=sys.stderr)
    return told.learned(history, candidates(history, arguments.least), told.group(by, memory))


def _read(history: CaseHistory, stretches: Iterable[Stretch]) -> None:
    """With a bar where somebody is looking. What begins in the last part of the history is held back."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("reading", total=1.0)
        before = 0.0
        for stretch in stretches:
            cut = _cut(len(stretch.events), before, stretch.done)
            history.push(stretch.events[:cut], hold_back=False)
            history.push(stretch.events[cut:], hold_back=True)
            before = stretch.done
            bar.update(task, completed=before)
    history.finish()


def _cut(count: int, before: float, after: float) -> int:
    """Where the part begins that is held back, in so many events between two shares of the history."""
    if after <= _LEARNED_FROM:
        return count
    return int(count * max(0.0, _LEARNED_FROM - before) / (after - before)) if after > before else 0


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise argparse.ArgumentTypeError(f"{text!r}: names with commas between them expected")
    return names


def _duration(text: str) -> str:
    if milliseconds(text) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no duration such as '30 days'")
    return text


def _moment(local: datetime.datetime | None, place: Scenario, otherwise: int) -> int:
    if local is None:
        return otherwise
    return int(local.replace(tzinfo=ZoneInfo(place.timezone)).timestamp() * 1000)
