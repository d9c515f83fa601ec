"""What HAVING PROBABILITY costs, and what its bound saves: `python -m benchmarks.probability`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

import sase
from benchmarks import chart, measure, streams
from benchmarks.curves import Curve
from benchmarks.engine import points
from benchmarks.measure import Speed
from benchmarks.streams import Stream
from benchmarks.workloads import MILLION, TYPES, Workload, sequence_query, workloads

EVENTS = 2 * MILLION
QUICK_EVENTS = MILLION // 10
ROUNDS = 3
TURNS = 9  # the share of two speeds is as steady as the machine
CERTAIN = 0.6  # of the crisp speed, where all events are certain
SAVED = 5  # times as fast as enumerating first, at a bound of 0.5
BOUNDS = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
EVERYTHING = 1e-300  # a bound that keeps every match
DOMAIN = 100
WINDOW = 10_000
WIDE = 10 * WINDOW  # in which an event ends a hundred times as many matches
KLEENE = """PATTERN SEQ(Stock+ a[], Stock b)
    WHERE skip_till_next_match(a[], b) { [symbol] and a[i].price > a[i-1].price and b.volume < 150 }
    WITHIN 3000 ms"""

Row = tuple[Workload, Speed, Speed]


def main(argv: Sequence[str] | None = None) -> None:
    arguments = _arguments(argv)
    events = QUICK_EVENTS if arguments.quick else EVENTS
    console = Console(highlight=False, width=None if Console().is_terminal else 120)
    console.print(f"{events:,} events, processor time of one core, best of {ROUNDS} rounds")
    console.print(costs(certain(workloads(), events)))
    curves = [
        delivered(events // 4, WINDOW),
        bounds(events, WINDOW),
        bounds(events // 4, WIDE),
        partial_matches(min(events // 10, 20_000)),
    ]
    for curve in curves:
        console.print(points(curve))
    chart.draw(curves, arguments.plot)
    console.print(f"The curves as pictures: {arguments.plot}")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.probability", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_EVENTS:,} events")
    parser.add_argument("--plot", type=Path, default=Path("artifacts/probability.html"), metavar="FILE")
    return parser.parse_args(argv)


def certain(rows: Iterable[Workload], events: int) -> Iterator[Row]:
    """Each workload without HAVING and with it, over certain events: both find the same.

    Windows are in milliseconds, of which each event takes one: HAVING refuses those that count events.
    """
    for workload in rows:
        stream, query = workload.stream(events), workload.query.replace(" events", " ms")
        crisp, asked = measure.by_turns([query, f"{query} HAVING PROBABILITY >= 0.5"], stream, TURNS)
        assert crisp.matches == asked.matches, workload.name
        yield workload, crisp, asked


def costs(rows: Iterable[Row]) -> Table:
    shown = Table(title="All events certain, million events/s", title_justify="left", box=box.MARKDOWN)
    shown.add_column("workload")
    for name in ("without", "with HAVING", "share", ""):
        shown.add_column(name, justify="right")
    for workload, crisp, asked in rows:
        share = asked.rate / crisp.rate
        speeds = (f"{speed.rate / MILLION:.2f}" for speed in (crisp, asked))
        shown.add_row(Text(workload.name), *speeds, f"{share:.2f}", "ok" if share >= CERTAIN else "below")
    return shown


def delivered(events: int, window: int) -> Curve:
    """Matches that are likely enough, as a table: by HAVING; or all of them first, filtered afterwards."""
    stream = doubted(streams.uniform(events, TYPES, {"attr1": DOMAIN}))
    text = sequence_query(3, window).replace(" events", " ms")
    all_of_them = sase.compile(text)
    lines: dict[str, list[float]] = {"bound": [], "everything, then filtered": []}
    matches = []
    for bound in BOUNDS:
        asked = sase.compile(f"{text} HAVING PROBABILITY >= {bound}")
        found = measure.best(partial(_told, asked, stream, 0.0), stream, ROUNDS)
        filtered = measure.best(partial(_told, all_of_them, stream, bound), stream, ROUNDS)
        assert found.matches == filtered.matches, bound
        lines["bound"].append(found.rate / MILLION)
        lines["everything, then filtered"].append(filtered.rate / MILLION)
        matches.append(found.matches)
    title = f"A bound on the probability, matches as a table (at 0.5 {SAVED} times the speed is asked for)"
    shown = {name: tuple(line) for name, line in lines.items()}
    return Curve(title, "HAVING PROBABILITY >=", "million events/s", BOUNDS, shown, tuple(matches))


def _told(query: sase.Query, stream: Stream, least: float) -> int:
    """How many matches are in the table that is handed on."""
    matcher, told = query.matcher(), 0
    for matches in (*map(matcher.push, stream), matcher.finish()):
        table = matches.to_arrow()
        told += table.filter(pc.greater_equal(table["probability"], least)).num_rows
    return told


def bounds(events: int, window: int) -> Curve:
    """SEQ(E1,E2,E3) [attr1] over uniform probabilities, beside building every match with its probability.

    To filter these afterwards would take some more time, which is not counted.
    """
    stream = doubted(streams.uniform(events, TYPES, {"attr1": DOMAIN}))
    query = sequence_query(3, window).replace(" events", " ms")
    found = [measure.engine(f"{query} HAVING PROBABILITY >= {bound}", stream, ROUNDS) for bound in BOUNDS]
    everything = measure.engine(f"{query} HAVING PROBABILITY >= {EVERYTHING}", stream, ROUNDS)
    lines = {
        "bound": tuple(speed.rate / MILLION for speed in found),
        "everything first": (everything.rate / MILLION,) * len(BOUNDS),
    }
    title = f"A bound on the probability, matches built and counted, window {window:,}"
    matches = tuple(speed.matches for speed in found)
    return Curve(title, "HAVING PROBABILITY >=", "million events/s", BOUNDS, lines, matches)


def partial_matches(events: int) -> Curve:
    """Kleene under skip till next match: how many partial matches are under way at the most."""
    stream = doubted(streams.stock(events, symbols=100))
    counted = [under_way(f"{KLEENE} HAVING PROBABILITY >= {bound}", stream) for bound in BOUNDS[1:]]
    lines = {"partial matches": tuple(float(most) for most, _ in counted)}
    matches = tuple(found for _, found in counted)
    return Curve("Partial matches at the most", "HAVING PROBABILITY >=", "", BOUNDS[1:], lines, matches)


def under_way(text: str, stream: Stream) -> tuple[int, int]:
    """The most partial matches at the end of a piece of the stream, and how many matches were found."""
    matcher, most, found = sase.compile(text).matcher(), 0, 0
    for batch in stream:
        for at in range(0, len(batch), 1_000):
            found += len(matcher.push(batch.slice(at, 1_000)))
            most = max(most, matcher.live_matches)
    return most, found


def doubted(stream: Stream, seed: int = 2) -> Stream:
    """The stream with a probability for every event, uniform above 0."""
    chance = np.random.default_rng(seed)
    draw = partial(chance.uniform, 0.001, 1)
    return [batch.append_column("prob", pa.array(draw(len(batch)))) for batch in stream]


if __name__ == "__main__":
    main()
