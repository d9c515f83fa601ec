"""The engine's speed beside generated Python, and the papers' curves: `python -m benchmarks.engine`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks import chart, curves, measure
from benchmarks.curves import Curve
from benchmarks.measure import Speed
from benchmarks.workloads import MILLION, Workload, workloads

EVENTS = 4 * MILLION
QUICK_EVENTS = MILLION // 4
CURVE_SHARE = 10  # a point of a curve takes this part of a row's events
RATIO = 5  # to the baseline, on every row
ROUNDS = 3
QUICK_ROUNDS = 7  # short ones: the first two of them only bring in memory


def main(argv: Sequence[str] | None = None) -> None:
    arguments = _arguments(argv)
    events = arguments.events or (QUICK_EVENTS if arguments.quick else EVENTS)
    console = Console(highlight=False, width=None if Console().is_terminal else 120)
    rounds = QUICK_ROUNDS if arguments.quick else ROUNDS
    console.print(f"{events:,} events a row, processor time of one core, best of {rounds} rounds")
    console.print(table(compare(workloads(), events, rounds)))
    drawn = []
    for curve in curves.curves(events // CURVE_SHARE):
        console.print(points(curve))
        drawn.append(curve)
    chart.draw(drawn, arguments.plot)
    console.print(f"The curves as pictures: {arguments.plot}")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--events", type=int, help=f"per row of the table; default {EVENTS:,}")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_EVENTS:,} events")
    parser.add_argument("--plot", type=Path, default=Path("artifacts/engine.html"), metavar="FILE")
    return parser.parse_args(argv)


def compare(
    rows: Iterable[Workload], events: int, rounds: int = ROUNDS
) -> Iterator[tuple[Workload, Speed, Speed]]:
    """Each workload with the engine's speed and the baseline's; both must find as many matches."""
    for workload in rows:
        stream = workload.stream(events)
        ours = measure.engine(workload.query, stream, rounds)
        theirs = measure.generated(workload, stream, rounds)
        assert ours.matches == theirs.matches, f"{workload.name}: {ours.matches} against {theirs.matches}"
        yield workload, ours, theirs


def table(rows: Iterable[tuple[Workload, Speed, Speed]]) -> Table:
    shown = Table(
        title="Engine against generated Python, million events/s", title_justify="left", box=box.MARKDOWN
    )
    shown.add_column("workload")
    for name in ("engine", "required", "baseline", "ratio", "matches", ""):
        shown.add_column(name, justify="right")
    for workload, ours, theirs in rows:
        ratio = ours.rate / theirs.rate
        enough = ours.rate >= workload.required and ratio >= RATIO
        speeds = (ours.rate, workload.required, theirs.rate)
        millions = [f"{speed / MILLION:.2f}" for speed in speeds]
        shown.add_row(
            Text(workload.name), *millions, f"{ratio:.1f}x", f"{ours.matches:,}", "ok" if enough else "below"
        )
    return shown


def points(curve: Curve) -> Table:
    shown = Table(title=f"{curve.title}, {curve.unit}", title_justify="left", box=box.MARKDOWN)
    for name in (curve.across, *curve.lines, "matches"):
        shown.add_column(name, justify="right")
    for i, x in enumerate(curve.xs):
        ys = (f"{line[i]:,.3g}" if line[i] < 1_000 else f"{line[i]:,.0f}" for line in curve.lines.values())
        shown.add_row(f"{x:,.3g}" if x < 1 else f"{x:,.0f}", *ys, f"{curve.matches[i]:,}")
    return shown


if __name__ == "__main__":
    main()
