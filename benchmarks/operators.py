"""Operators with windows of their own, and the report's figures: `python -m benchmarks.operators`."""

from __future__ import annotations

import argparse
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

import sase
from benchmarks import chart, measure, streams
from benchmarks.curves import Curve
from benchmarks.engine import points
from benchmarks.joined import joined
from benchmarks.measure import Speed
from benchmarks.streams import Stream
from benchmarks.workloads import MILLION, TAGS, TYPES
from sase.kernels import memory

EVENTS = 4 * MILLION
QUICK_EVENTS = MILLION // 4
CURVE_SHARE = 4  # a point of a figure takes this part of a row's events
ROUNDS = 3
DOMAINS = {"a1": 10, "a2": 50, "a3": 100, "a4": 500, "a5": 1_000}  # the report's figure 6
WINDOWS = (100, 300, 1_000, 3_000, 10_000)  # events, one a millisecond
SHARE_OF_STACKS = 0.5
CLEANED = 5 * MILLION
FLAT = 1.3  # the last tenth of a stream may take so many times as long as an earlier one
CLEANING = "SELECT R1.* FROM E1 R1 R2 PARTITION BY tag_id EVENT NOTPRECEDES(R1, R2, '1 sec')"


@dataclass(frozen=True)
class Point:
    attribute: str
    length: int
    window: int

    def query(self, operator: str, window: str, condition: str = "") -> str:
        """The first types one after the other, by an operator of two."""
        pattern = "E1 x1"
        for number in range(2, self.length + 1):
            pattern = f"{operator}({pattern}, E{number} x{number}{window})"
        return f"EVENT {pattern} WHERE [{self.attribute}]{condition}"

    @property
    def follows(self) -> str:
        return self.query("FOLLOWS", f", {self.window} ms")

    @property
    def both(self) -> str:
        """A window join, then a selection: in this engine, without sequence operators."""
        order = "".join(f" AND x{n}.ts < x{n + 1}.ts" for n in range(1, self.length))
        return self.query("BOTH", f", {self.window} ms", order)

    @property
    def stacks(self) -> str:
        return f"EVENT SEQ(E1 x1, E2 x2) WHERE [{self.attribute}] WITHIN {self.window} ms"


def main(argv: Sequence[str] | None = None) -> None:
    arguments = _arguments(argv)
    events = arguments.events or (QUICK_EVENTS if arguments.quick else EVENTS)
    console = Console(highlight=False, width=None if Console().is_terminal else 120)
    console.print(f"{events:,} events a row, processor time of one core, best of {ROUNDS} rounds")
    console.print(table(rows(events)))
    drawn = []
    for curve in figures(events // CURVE_SHARE):
        console.print(points(curve))
        drawn.append(curve)
    chart.draw(drawn, arguments.plot)
    console.print(f"The figures as pictures: {arguments.plot}")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.operators", description=__doc__)
    parser.add_argument("--events", type=int, help=f"per row of the table; default {EVENTS:,}")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_EVENTS:,} events")
    parser.add_argument("--plot", type=Path, default=Path("artifacts/operators.html"), metavar="FILE")
    return parser.parse_args(argv)


Row = tuple[str, str, str, bool]  # what, measured, required, enough


def table(found: Iterator[Row]) -> Table:
    shown = Table(title="Operators with windows of their own", title_justify="left", box=box.MARKDOWN)
    for name in ("what", "measured", "required", ""):
        shown.add_column(name)
    for what, measured, required, enough in found:
        shown.add_row(what, measured, required, "ok" if enough else "below")
    return shown


def rows(events: int) -> Iterator[Row]:
    stream = uniform(events)
    for window in (1_000, 10_000):
        yield _beside_stacks(Point("a3", 2, window), stream)
    yield from _cleaning(events)
    yield _memory(Point("a5", 2, MILLION), stream)
    yield _flat(Point("a1", 3, 1_000), stream)


def uniform(events: int) -> Stream:
    return streams.uniform(events, TYPES, DOMAINS)


def _beside_stacks(point: Point, stream: Stream) -> Row:
    tree, stacks = (measure.engine(query, stream, ROUNDS) for query in (point.follows, point.stacks))
    assert tree.matches == stacks.matches
    share = tree.rate / stacks.rate
    shown = f"{tree.rate / MILLION:.1f} of {stacks.rate / MILLION:.1f} million events/s: {share:.0%}"
    return (
        f"FOLLOWS(E1, E2, {point.window:,} ms), domain 100, beside SEQ on stacks",
        shown,
        f"{SHARE_OF_STACKS:.0%}",
        share >= SHARE_OF_STACKS,
    )


def _cleaning(events: int) -> Iterator[Row]:
    """Readings of 100,000 tags, a few of which or most of which come again within a second."""
    for each_ms in (1, 200):
        stream = streams.uniform(events, 1, {"tag_id": TAGS}, each_ms=each_ms)
        speed = measure.engine(CLEANING, stream, ROUNDS)
        kept = speed.matches / events
        yield (
            f"cleaning, {TAGS:,} tags, {each_ms:,} readings a millisecond, {kept:.0%} pass",
            f"{speed.rate / MILLION:.1f} million events/s",
            f"{CLEANED / MILLION:.0f} million events/s",
            speed.rate >= CLEANED,
        )


def _memory(point: Point, stream: Stream) -> Row:
    """What the process takes for an outcome that is kept, with all base events; itself it has 6 numbers."""
    matcher = sase.compile(point.follows).matcher()
    matcher.push(stream[0].slice(0, 100))
    memory._idle.clear()  # what is used again would not be counted
    tracemalloc.start()
    try:
        for batch in stream:
            matcher.push(batch.slice(100 if batch is stream[0] else 0))
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    each = size / matcher.live_matches
    return (
        f"memory per kept outcome, {matcher.live_matches:,} kept",
        f"{each:.0f} bytes with base events",
        "reported",
        True,
    )


def _flat(point: Point, stream: Stream) -> Row:
    """Each tenth of the stream by itself: the window is full after the first."""
    matcher = sase.compile(point.follows).matcher()
    size = max(1, len(stream) // 10)
    tenths = [stream[at : at + size] for at in range(0, size * min(10, len(stream)), size)]
    times = [measure.timed(partial(_pushed, matcher, tenth), 1).seconds for tenth in tenths]
    ratio = times[-1] / min(times[1:] or times)
    return "the last tenth of a stream beside the fastest", f"{ratio:.2f}", f"{FLAT}", ratio <= FLAT


def _pushed(matcher: sase.Matcher, stream: Stream) -> int:
    return sum(len(matcher.push(batch)) for batch in stream)


def figures(events: int) -> Iterator[Curve]:
    """The report's figures 7 to 9."""
    stream = uniform(events)
    windows = {window: Point("a3", 2, window) for window in WINDOWS}
    yield _figure("Figure 7: window size, domain 100", "events in the window", windows, stream)
    domains = {size: Point(name, 2, 10_000) for name, size in DOMAINS.items()}
    yield _figure("Figure 8: domain size, window 10,000", "values of the attribute", domains, stream)
    lengths = {length: Point("a1", length, 1_000) for length in (2, 3)}
    yield _figure("Figure 9: length, domain 10, window 1,000", "types in a sequence", lengths, stream)


def _figure(title: str, across: str, drawn: Mapping[int, Point], stream: Stream) -> Curve:
    measured = [_point(point, stream) for point in drawn.values()]
    lines = {name: tuple(each[name].rate for each in measured) for name in measured[0]}
    matches = []
    for each in measured:
        (found,) = {speed.matches for speed in each.values()}
        matches.append(found)
    return Curve(title, across, "events/s", tuple(drawn), lines, tuple(matches))


def _point(point: Point, stream: Stream) -> dict[str, Speed]:
    domain = DOMAINS[point.attribute]
    joins = partial(joined, stream, point.attribute, domain, point.length, point.window)
    joins()  # compiles it
    return {
        "FOLLOWS": measure.engine(point.follows, stream, ROUNDS),
        "BOTH, then WHERE": measure.engine(point.both, stream, ROUNDS),
        "join, then select": measure.best(joins, stream, ROUNDS),
    }


if __name__ == "__main__":
    main()
