"""Many queries over one stream, together and one by one: `python -m benchmarks.many`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from rich import box
from rich.console import Console
from rich.table import Table

import sase
from benchmarks import chart
from benchmarks.curves import Curve
from benchmarks.measure import Speed, best, matched
from benchmarks.streams import Stream

Point = tuple[int, Speed, Speed]  # queries, together, one by one

COUNTS = (1, 10, 100, 1_000)
MOST = {100: 0.40, 1_000: 0.30}  # of what the same queries cost one by one
EVENTS = 200_000
QUICK_EVENTS = 40_000
BATCH = 20_000
TYPES = 20
TAGS = 1_000
AREAS = 50
PRICES = 1_000
ROUNDS = 3

SEQUENCE = "EVENT SEQ({0} x, {1} y, {2} z) WHERE [tag] AND x.area = '{area}' WITHIN {window} sec"
ABSENCE = "EVENT SEQ({0} x, !({1} y), {2} z) WHERE [tag] AND z.area = '{area}' WITHIN {window} sec"
KLEENE = """PATTERN SEQ({0}+ a[], {1} b) WHERE skip_till_next_match(a[], b)
    {{ [tag] AND a[1].area = '{area}' AND a[i].price > a[i-1].price AND b.price < {price} }}
    WITHIN {window} sec"""


def main(argv: Sequence[str] | None = None) -> None:
    arguments = _arguments(argv)
    events = arguments.events or (QUICK_EVENTS if arguments.quick else EVENTS)
    console = Console(highlight=False, width=None if Console().is_terminal else 120)
    console.print(f"{events:,} events in batches of {BATCH:,}, processor time of one core, best of {ROUNDS}")
    points = list(compare(arguments.queries, stream(events)))
    console.print(table(points))
    chart.draw([curve(points)], arguments.plot)
    console.print(f"As a picture: {arguments.plot}")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.many", description=__doc__)
    parser.add_argument("--queries", type=int, nargs="+", default=COUNTS, metavar="N")
    parser.add_argument("--events", type=int, help=f"default {EVENTS:,}")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_EVENTS:,} events")
    parser.add_argument("--plot", type=Path, default=Path("artifacts/many.html"), metavar="FILE")
    return parser.parse_args(argv)


def stream(events: int, seed: int = 1) -> Stream:
    """Types and attributes uniform and independent, tags and areas as texts, an event per millisecond."""
    chance = np.random.default_rng(seed)
    types = pa.array([f"E{number}" for number in range(1, TYPES + 1)])
    tags = pa.array([f"urn:epc:id:sgtin:0614141.{number:06}" for number in range(TAGS)])
    areas = pa.array([f"area {number}" for number in range(AREAS)])
    drawn = pa.record_batch(
        {
            "event": types.take(pa.array(chance.integers(0, TYPES, events))),
            "ts": np.arange(events),
            "tag": tags.take(pa.array(chance.integers(0, TAGS, events))),
            "area": areas.take(pa.array(chance.integers(0, AREAS, events))),
            "price": chance.integers(0, PRICES, events),
        }
    )
    return [drawn.slice(at, BATCH) for at in range(0, events, BATCH)]


def queries(count: int) -> dict[str, str]:
    """Sequences, absences and repetitions in turn, no two alike."""
    return {f"query {number}": _query(number) for number in range(count)}


def _query(number: int) -> str:
    chance = np.random.default_rng(number)
    types = [f"E{kind + 1}" for kind in chance.choice(TYPES, 3, replace=False)]
    form = (SEQUENCE, ABSENCE, KLEENE)[number % 3]
    area, price, window = chance.integers((0, 100, 1), (AREAS, 900, 11)).tolist()
    return form.format(*types, area=f"area {area}", price=price, window=window)


def compare(counts: Iterable[int], events: Stream) -> Iterator[Point]:
    """So many queries as a set and one by one; both must find as many matches."""
    for count in counts:
        compiled = sase.compile_all(queries(count))
        for query in list(compiled.queries.values())[:3]:  # one of each form
            matched(query, events[:1])
        ways = partial(_together, compiled, events), partial(_singly, compiled, events)
        rounds = [[best(way, events, 1) for way in ways] for _ in range(ROUNDS)]  # in turn
        together, singly = (min(way, key=lambda speed: speed.seconds) for way in zip(*rounds, strict=True))
        assert together.matches == singly.matches, f"{together.matches} against {singly.matches}"
        yield count, together, singly


def _together(compiled: sase.QuerySet, events: Stream) -> int:
    matcher = compiled.matcher()
    pushed = sum(len(found) for batch in events for found in matcher.push(batch).values())
    return pushed + sum(map(len, matcher.finish().values()))


def _singly(compiled: sase.QuerySet, events: Stream) -> int:
    return sum(matched(query, events) for query in compiled.queries.values())


def table(points: Sequence[Point]) -> Table:
    shown = Table(title="Queries over one stream, events/s", title_justify="left", box=box.MARKDOWN)
    for name in ("queries", "together", "one by one", "cost", "at most", "matches", ""):
        shown.add_column(name, justify="right")
    for count, together, singly in points:
        cost, most = together.seconds / singly.seconds, MOST.get(count)
        shown.add_row(
            *(f"{number:,.0f}" for number in (count, together.rate, singly.rate)),
            f"{cost:.0%}",
            "" if most is None else f"{most:.0%}",
            f"{together.matches:,}",
            "" if most is None else "ok" if cost <= most else "above",
        )
    return shown


def curve(points: Sequence[Point]) -> Curve:
    lines = {
        "together": tuple(together.rate for _, together, _ in points),
        "one by one": tuple(singly.rate for _, _, singly in points),
    }
    counts, matches = zip(*((count, together.matches) for count, together, _ in points), strict=True)
    return Curve("Many queries", "queries", "events/s", counts, lines, matches)


if __name__ == "__main__":
    main()
