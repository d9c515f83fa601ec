"""`vigil match QUERY EVENTS`: find a query's matches in a file of events."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

import sase
from app.match.file import BATCH, EventFile, EventFileError, Events
from app.match.output import write_lines, write_tables
from app.match.query import UnusableQueryError, add_query, compiled_query
from sase.results.matches import Result

_MOST_BREACHES = 20
LONG = 20 * BATCH  # bytes or rows: below this the end comes before a bar could be read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_query(parser)
    parser.add_argument(
        "events", metavar="EVENTS", help="a file .jsonl, .csv or .parquet, sorted by ts; - reads JSON lines"
    )
    parser.add_argument("--format", choices=("jsonl", "table"), default="jsonl", help="default: jsonl")
    parser.add_argument("--skip-bad", action="store_true", help="count lines that cannot be read, and go on")


def run(arguments: argparse.Namespace) -> int:
    try:
        _match(compiled_query(arguments), arguments)
    except (UnusableQueryError, EventFileError) as error:
        sys.stdout.flush()
        print(f"vigil match: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read the matches has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _match(query: sase.Query, arguments: argparse.Namespace) -> None:
    console = Console(stderr=True)
    with console.status("Preparing the matcher; the first time on a machine its kernels are compiled"):
        query.matcher().push([])
    file = EventFile(arguments.events, skip_bad=arguments.skip_bad)
    matcher = query.matcher()
    found = _found(matcher, _shown(file, console))
    if arguments.format == "table":
        write_tables(found, Console())
    else:
        write_lines(found, sys.stdout)
    sys.stdout.flush()
    _report(file, matcher)


def _found(matcher: sase.Matcher, batches: Iterable[Events]) -> Iterator[sase.Match]:
    for batch in batches:
        yield from _expanded(matcher.push(batch))
    yield from _expanded(matcher.finish())


def _expanded(results: Iterable[Result]) -> Iterator[sase.Match]:
    for result in results:
        if isinstance(result, sase.Match):
            yield result
        else:
            yield from result.enumerate()


def _shown(file: EventFile, console: Console) -> Iterator[Events]:
    """The batches, with a bar where somebody is looking and there is something to wait for."""
    columns = (TextColumn("reading"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    bar = Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),
    )
    task = bar.add_task("reading", visible=False)
    with bar:
        for batch in file.batches():
            bar.update(task, total=file.total, completed=file.done, visible=(file.total or LONG) >= LONG)
            yield batch


def _report(file: EventFile, matcher: sase.Matcher) -> None:
    for case, constraint, event in matcher.violations[:_MOST_BREACHES]:
        named = ", ".join(map(str, case))
        print(
            f"vigil match: case {named} breaks {constraint} with {event['event']} at {event['ts']}",
            file=sys.stderr,
        )
    if len(matcher.violations) > _MOST_BREACHES:
        rest = len(matcher.violations) - _MOST_BREACHES
        print(f"vigil match: and {rest} breaches of constraints more", file=sys.stderr)
    if file.skipped:
        print(f"vigil match: {file.skipped} bad lines left out", file=sys.stderr)
    if matcher.incomparable:
        print(
            f"vigil match: {matcher.incomparable} comparisons met values that cannot be compared, "
            "such as a text and a number; they count as different",
            file=sys.stderr,
        )
    if matcher.overflow:
        print(
            f"vigil match: incomplete: {matcher.overflow} partial or finished matches went over the limits; "
            "a shorter WITHIN or a further condition keeps them fewer",
            file=sys.stderr,
        )
