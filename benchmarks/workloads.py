"""The workloads of the table: each a query, its stream, its baseline, and the speed that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchmarks import baseline, streams
from benchmarks.streams import Stream

MILLION = 1_000_000
TYPES = 20
WINDOW = 10_000
TAGS = 100_000
SYMBOLS = 100
HOURS_12 = 12 * 3_600_000
SPACING_MS = 43  # a million events in twelve hours

SHOPLIFTING = """
PATTERN SEQ(Shelf a, ~(Register b), Exit c)
WHERE skip_till_next_match(a, b, c) { a.tag_id = b.tag_id and a.tag_id = c.tag_id }
WITHIN 12 hours"""


@dataclass(frozen=True)
class Workload:
    name: str
    query: str
    stream: Callable[[int], Stream]
    source: str  # of the baseline
    columns: tuple[str, ...]  # that it reads
    required: int  # events/s


def workloads(window: int = WINDOW, partition_window: int = 500) -> list[Workload]:
    """The rows of the table; smaller windows are for tests."""
    rows = [_sequence(domain, speed, window) for domain, speed in ((100, 10), (1_000, 20), (10_000, 30))]
    return [*rows, _absence(window), _stock(SYMBOLS * partition_window), _shoplifting()]


def sequence_query(length: int, window: int, condition: str = "[attr1]") -> str:
    parts = ", ".join(f"E{number} x{number}" for number in range(1, length + 1))
    return f"EVENT SEQ({parts}) {condition and 'WHERE '}{condition} WITHIN {window} events"


def stock_query(window: int, each: str = "a[i].price > a[i-1].price") -> str:
    """The template of SASE+ section 6, under skip till next match."""
    tests = " and ".join(filter(None, ["[symbol]", "a[1].price % 500 == 0", each, "b.volume < 150"]))
    return f"""PATTERN SEQ(Stock+ a[], Stock b)
        WHERE skip_till_next_match(a[], b) {{ {tests} }} WITHIN {window} events"""


def _sequence(domain: int, speed: int, window: int) -> Workload:
    return Workload(
        f"SEQ(E1,E2,E3) [attr1], domain {domain:,}",
        sequence_query(3, window),
        partial(streams.uniform, types=TYPES, domains={"attr1": domain}),
        baseline.sequence(3, window),
        ("event", "attr1"),
        speed * MILLION,
    )


def _absence(window: int) -> Workload:
    return Workload(
        "SEQ(E1,!E2,E3) [attr1], domain 1,000",
        f"EVENT SEQ(E1 x, !(E2 y), E3 z) WHERE [attr1] WITHIN {window} events",
        partial(streams.uniform, types=TYPES, domains={"attr1": 1_000}),
        baseline.absence(window),
        ("event", "attr1"),
        20 * MILLION,
    )


def _stock(window: int) -> Workload:
    return Workload(
        f"stock template, {SYMBOLS} symbols",
        stock_query(window),
        partial(streams.stock, symbols=SYMBOLS),
        baseline.stock(window, 500, 150),
        ("symbol", "price", "volume"),
        3 * MILLION // 2,
    )


def _shoplifting() -> Workload:
    return Workload(
        f"shoplifting, {TAGS:,} tags, 12 hours",
        SHOPLIFTING,
        partial(streams.shop, tags=TAGS, spacing_ms=SPACING_MS),
        baseline.shoplifting(HOURS_12),
        ("event", "ts", "tag_id"),
        3 * MILLION // 2,
    )
