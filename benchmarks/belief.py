"""Belief: its speed, and how right and honest it is beside last seen: `python -m benchmarks.belief`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks import belief_crowd, belief_recordings
from benchmarks.belief_crowd import Crowd
from sase import belief

TAGS = 100_000
QUICK_TAGS = 10_000
SECONDS = 30
ROUNDS = 5
SAMPLE = 400  # tags that the full filter follows as well


def main(argv: Sequence[str] | None = None) -> None:
    arguments = _arguments(argv)
    console = Console(highlight=False, width=None if Console().is_terminal else 120)
    crowd = belief_crowd.simulated(QUICK_TAGS if arguments.quick else TAGS, SECONDS, seed=1)
    console.print(_speed(crowd))
    console.print(_questions(crowd))
    console.print(_rightness(belief_crowd.simulated(SAMPLE, 20 * SECONDS, seed=2)))
    if arguments.recordings is not None:
        console.print(_recordings(arguments.recordings))


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.belief", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_TAGS:,} tags")
    parser.add_argument(
        "--recordings",
        type=Path,
        metavar="FOLDER",
        help="rooms with trials of a worn tag, as docs/belief.md says",
    )
    return parser.parse_args(argv)


def _speed(crowd: Crowd) -> Table:
    """Arrow in, events out, after some seconds to warm up; processor time of one core."""
    belief_crowd.played(crowd, 2)
    speed, events, agreement = belief_crowd.measured(crowd, SAMPLE)
    shown = _table(f"{crowd.tags:,} tags over 20 places", "", "measured", "required")
    shown.add_row("million sightings/s, Arrow in, events out", f"{speed / 1e6:.2f}", "1")
    shown.add_row("changes told", f"{events:,}", "")
    shown.add_row("same place as the full filter", f"{100 * agreement:.2f}%", "99.5%")
    return shown


def _questions(crowd: Crowd) -> Table:
    shown = _table(f"Questions about {crowd.tags:,} tags", "", "ms", "required")
    state = belief_crowd.played(crowd, 2 * belief_crowd.WARM)
    asked = {
        "where": lambda: state.where("tag-7"),
        "who": lambda: state.who("p3"),
        "how many": lambda: state.how_many("p3"),
        "present": lambda: state.present("p3"),
    }
    for ask in asked.values():
        ask()
    for name, ask in asked.items():
        spent = min(_asked(state, ask) for _ in range(ROUNDS))
        shown.add_row(name, f"{1000 * spent:.1f}", "50")
    return shown


def _asked(state: belief.State, ask: Callable[[], object]) -> float:
    """Processor time of one core, after time has passed: nothing is known beforehand."""
    state.advance((state.clock or 0) + 10)
    began = time.process_time()
    ask()
    return time.process_time() - began


def _rightness(crowd: Crowd) -> Table:
    shown = _table(f"{crowd.tags} tags, {crowd.seconds} s, 30% missed, 6% stray", "", "belief", "last seen")
    ours, last = belief_crowd.rightness(crowd)
    shown.add_row("place right, by time", f"{100 * ours.right:.2f}%", f"{100 * last.right:.2f}%")
    shown.add_row("right within 30 s of a move", f"{100 * ours.moved:.2f}%", f"{100 * last.moved:.2f}%")
    shown.add_row("confidence off by", f"{ours.off:.3f}", "")
    shown.add_row("the same where it is below 0.99", f"{ours.off_in_doubt:.3f}", "")
    shown.add_row("truths inside the interval of how many", f"{100 * ours.inside:.1f}%", "")
    shown.add_row("mass that the interval states", f"{100 * ours.stated:.1f}%", "")
    return shown


def _recordings(folder: Path) -> Table:
    names = ("room", "belief", "last antenna", "off by", "balanced", "its")
    shown = _table("Recordings, place right by time, learned on every other trial without labels", *names)
    for room in belief_recordings.rooms(folder):
        found = belief_recordings.measured(room)
        figures = (found.right, found.last, found.balanced, found.last_balanced)
        right, last, balanced, its = (f"{100 * figure:.2f}%" for figure in figures)
        shown.add_row(room.name, right, last, f"{found.off:.3f}", balanced, its)
    return shown


def _table(title: str, first: str, *columns: str) -> Table:
    shown = Table(title=title, title_justify="left", box=box.MARKDOWN)
    shown.add_column(first)
    for column in columns:
        shown.add_column(column, justify="right")
    return shown


if __name__ == "__main__":
    main()
