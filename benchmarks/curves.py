"""The papers' curves: what each parameter and each optimisation does to the engine's speed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks import baseline, streams
from benchmarks.measure import Speed, engine
from benchmarks.streams import Stream
from benchmarks.workloads import MILLION, TYPES, WINDOW, sequence_query, stock_query
from sase import Options

ROUNDS = 2
WINDOWS = (10_000, 30_000, 100_000)  # SASE section 5.1
PAPER_SYMBOLS = 2  # SASE+ section 6: more symbols do not change the cost of an event

Sized = Callable[[int], Stream]
Point = tuple[str, Sized]  # a query and its stream


@dataclass(frozen=True)
class Curve:
    """One picture: a line per way of evaluation; all lines of a point have found the same matches."""

    title: str
    across: str
    unit: str
    xs: tuple[float, ...]
    lines: Mapping[str, tuple[float, ...]]
    matches: tuple[int, ...]


def curves(events: int) -> Iterator[Curve]:
    """All of them, each point over this many events."""
    for make in (
        sequence_length,
        domain_size,
        window_size,
        stack_against_domain,
        stack_against_window,
        two_equivalence_tests,
        pushing,
        sharing,
        iterator_predicate,
        kleene_against_output,
    ):
        yield make(events)


def sequence_length(events: int) -> Curve:
    """SASE experiment 5."""
    made = _uniform({"attr1": 1_000})
    points = {length: (sequence_query(length, WINDOW), made) for length in range(2, 7)}
    return _curve("Sequence length", "components", points, {"engine": Options()}, events)


def domain_size(events: int) -> Curve:
    """SASE experiment 6, with stacks per value of the attribute."""
    sizes = (100, 300, 1_000, 3_000, 10_000)
    points = {size: (sequence_query(3, WINDOW), _uniform({"attr1": size})) for size in sizes}
    ways = {"partitioned": Options(), "not partitioned": Options(partition=False)}
    return _curve("Domain size", "values of attr1", points, ways, events)


def window_size(events: int) -> Curve:
    """The cost of stacks per value does not grow with the window: only what matches is touched."""
    made = _uniform({"attr1": 10_000})
    points = {window: (sequence_query(3, window), made) for window in WINDOWS}
    return _curve("Window size", "events in the window", points, {"engine": Options()}, events)


def stack_against_domain(events: int) -> Curve:
    """SASE experiment 1: the selectivity of the test simulated by more event types, as there."""
    points = {size: (sequence_query(3, WINDOW, ""), _diluted(size)) for size in (100, 1_000, 10_000)}
    return _curve("AIS against the basic stack", "simulated values of attr1", points, STACKS, events)


def stack_against_window(events: int) -> Curve:
    """SASE experiment 2: without pointers, construction looks through the whole window."""
    points = {window: (sequence_query(3, window, ""), _diluted(10_000)) for window in WINDOWS}
    return _curve("The same over windows", "events in the window", points, STACKS, events)


def two_equivalence_tests(events: int) -> Curve:
    """SASE experiment 3, with 20 values of the second attribute."""
    points = {
        size: (sequence_query(3, WINDOW, "[attr1, attr2]"), _uniform({"attr1": size, "attr2": 20}))
        for size in (10, 100, 1_000, 10_000)
    }
    ways = {
        "partitions by both": Options(),
        "by the first, the second filtered": Options(partition_all=False),
        "both filtered": Options(partition=False),
    }
    return _curve("Two equivalence tests", "values of attr1", points, ways, events)


def pushing(events: int) -> Curve:
    """SASE section 4.3: predicates and windows in the scan, or tested on whole matches."""
    made = _uniform({"attr1": 100, "attr2": 100})
    points = {
        share: (sequence_query(3, WINDOW, f"[attr1] and x1.attr2 < {share}"), made) for share in (1, 10, 50)
    }
    ways = {
        "pushed": Options(),
        "predicates on matches": Options(push_predicates=False),
        "window on matches": Options(push_window=False),
    }
    return _curve("Pushing down", "% of E1 that pass", points, ways, events)


def sharing(events: int) -> Curve:
    """SASE+ section 5: one match buffer and merged runs, for an iterator predicate that is always true."""
    points = {window: _stock(window, "") for window in (250, 500, 1_000)}
    ways = {
        "shared and merged": Options(),
        "not merged": Options(merge_runs=False),
        "not shared": Options(share_buffer=False, merge_runs=False),
    }
    return _curve("Sharing and merging", "partition window", points, ways, events)


def iterator_predicate(events: int) -> Curve:
    """SASE+ section 6.1, experiment 1: the iterator predicate."""
    forms = ("", "a[i].price > a[i-1].price", "a[i].price > avg(a[..i-1].price)")
    points = {number: _stock(500, form) for number, form in enumerate(forms, 1)}
    return _curve("Iterator predicate", "p1, p2, p3", points, {"engine": Options()}, events)


def kleene_against_output(events: int) -> Curve:
    """SASE+ section 6.1: the cost of Kleene plus grows with the size of what comes out, and no faster."""
    stream = streams.stock(events, PAPER_SYMBOLS)
    windows = [PAPER_SYMBOLS * window for window in (125, 250, 500, 1_000)]
    outputs = [_stock_output(stream, window) for window in windows]
    speeds = [engine(stock_query(window), stream, ROUNDS) for window in windows]
    found = tuple(_agreed_count(speed, output) for speed, output in zip(speeds, outputs, strict=True))
    sizes = tuple(sum(map(len, output)) / events for output in outputs)
    line = {"engine": tuple(speed.seconds / events * MILLION for speed in speeds)}
    return Curve(
        "Kleene plus against output", "events in matches per event", "µs per event", sizes, line, found
    )


def _stock_output(stream: Stream, window: int) -> list[tuple[int, ...]]:
    columns = baseline.columns(stream, ("symbol", "price", "volume"))
    return baseline.compiled(baseline.stock(window, 500, 150))(columns)


def _agreed_count(speed: Speed, output: Sequence[object]) -> int:
    assert speed.matches == len(output), f"{speed.matches} against {len(output)}"
    return speed.matches


STACKS = {"instance pointers": Options(), "basic stack": Options(instance_pointers=False)}


def _uniform(domains: Mapping[str, int]) -> Sized:
    return partial(streams.uniform, types=TYPES, domains=domains)


def _diluted(domain: int) -> Sized:
    return partial(streams.uniform, types=round(TYPES * domain ** (2 / 3)), domains={})


def _stock(partition_window: int, each: str) -> Point:
    made = partial(streams.stock, symbols=PAPER_SYMBOLS)
    return stock_query(PAPER_SYMBOLS * partition_window, each), made


def _curve(
    title: str, across: str, points: Mapping[int, Point], ways: Mapping[str, Options], events: int
) -> Curve:
    measured = [
        [engine(query, make(events), ROUNDS, way) for way in ways.values()] for query, make in points.values()
    ]
    lines = {name: tuple(row[i].rate for row in measured) for i, name in enumerate(ways)}
    return Curve(title, across, "events/s", tuple(points), lines, tuple(map(_agreed, measured)))


def _agreed(speeds: Sequence[Speed]) -> int:
    """No optimisation may change an answer."""
    (found,) = {speed.matches for speed in speeds}
    return found
