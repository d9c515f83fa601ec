"""What constraints save on the paper's order workflow, and cost: `python -m benchmarks.constraints`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

import sase
from benchmarks import chart, orders
from benchmarks.curves import Curve
from benchmarks.orders import Workflow
from benchmarks.streams import Stream
from sase.spark.bucket.snapshot import to_bytes

RATIOS = (0.0, 0.3, 0.6, 0.9)
WINDOW = 40 * orders.AT_ONCE  # twice as long as an order takes
WARM = 5  # batches before anything is counted
ROUNDS = 15
SEED = 7  # of streams on which nothing in the engine was chosen
EXPERIMENTS = {
    "sequence, fails early": (orders.SEQUENCE, lambda ratio: Workflow(local=ratio), 0.60),
    "sequence, fails late": (orders.SEQUENCE, lambda ratio: Workflow(cheap_invoice=ratio), 0.54),
    "AND, fails early": (orders.BRANCHES, lambda ratio: Workflow(local=ratio, cheap_quotes=0.5), 0.72),
    "AND, fails late": (orders.BRANCHES, lambda ratio: Workflow(cheap_quotes=ratio), 0.0),
}


@dataclass(frozen=True)
class Cost:
    """Of one run over a stream."""

    peak: int  # events kept, at most
    partial: int  # partial matches under way, at most
    laid: int  # events that were offered to partial matches
    seconds: float
    size: int  # bytes of the largest snapshot: what Spark keeps
    matches: int


def run(query: sase.Query, stream: Stream, measured: bool) -> Cost:
    """`measured`: sizes are looked at, which takes time, so time is taken without."""
    matcher = query.matcher()
    peak = partial_matches = laid = size = matches = 0
    started = time.process_time()
    for number, batch in enumerate(stream):
        matches += len(matcher.push(batch))
        if measured and number >= WARM:
            peak, partial_matches = max(peak, matcher.live_events), max(partial_matches, matcher.live_matches)
            size = max(size, len(to_bytes(matcher.snapshot())))
        laid += sum(len(rows) for _, rows in matcher._laid)
    return Cost(peak, partial_matches, laid, time.process_time() - started, size, matches)


def compared(text: str, stream: Stream, rounds: int = ROUNDS) -> tuple[Cost, Cost]:
    """Without and with constraints, in turn; the best time of some rounds."""
    text = text.format(window=WINDOW)
    queries = sase.compile(text), sase.compile(text, constraints=orders.CONSTRAINTS)
    costs = [run(query, stream, True) for query in queries]
    assert costs[0].matches == costs[1].matches, "constraints have changed the matches"
    times = [[run(query, stream, False).seconds for query in queries] for _ in range(rounds)]
    best = [min(own) for own in zip(*times, strict=True)]
    plain, beside = (
        Cost(cost.peak, cost.partial, cost.laid, seconds, cost.size, cost.matches)
        for cost, seconds in zip(costs, best, strict=True)
    )
    return plain, beside


def saved(plain: float, beside: float) -> str:
    return f"{1 - beside / plain:.0%}" if plain else "-"


def table(results: Mapping[str, Mapping[float, tuple[Cost, Cost]]]) -> Table:
    shown = Table("query", "fail ratio", "events at the peak", "saved", box=box.SIMPLE)
    for name in (
        "offered",
        "saved",
        "partial",
        "saved",
        "time s",
        "saved",
        "snapshot kB",
        "saved",
        "matches",
    ):
        shown.add_column(name, justify="right")
    for name, by_ratio in results.items():
        for ratio, (plain, beside) in by_ratio.items():
            shown.add_row(
                name,
                f"{ratio:.0%}",
                f"{plain.peak:,} {beside.peak:,}",
                saved(plain.peak, beside.peak),
                f"{plain.laid:,} {beside.laid:,}",
                saved(plain.laid, beside.laid),
                f"{plain.partial:,} {beside.partial:,}",
                saved(plain.partial, beside.partial),
                f"{plain.seconds:.3f} {beside.seconds:.3f}",
                saved(plain.seconds, beside.seconds),
                f"{plain.size / 1000:,.0f} {beside.size / 1000:,.0f}",
                saved(plain.size, beside.size),
                f"{plain.matches:,}",
            )
    return shown


def curves(results: Mapping[str, Mapping[float, tuple[Cost, Cost]]]) -> list[Curve]:
    drawn = []
    for name, by_ratio in results.items():
        for what, unit in (("peak", "events kept at the peak"), ("seconds", "seconds of processor time")):
            lines = {
                label: tuple(getattr(pair[side], what) for pair in by_ratio.values())
                for side, label in enumerate(("without", "with constraints"))
            }
            matches = tuple(pair[0].matches for pair in by_ratio.values())
            drawn.append(Curve(f"{name}: {unit}", "fail ratio", unit, tuple(by_ratio), lines, matches))
    return drawn


def earlier(cases: int) -> str:
    """How much sooner a negated end is known: a finished order is not cancelled."""
    stream = orders.stream(Workflow(cancelled=0.1), cases)
    query = sase.compile(orders.ENDED.format(window=WINDOW), constraints=orders.CONSTRAINTS)
    matcher = query.matcher()
    gained = [match.ts - match.detected_at for batch in stream for match in matcher.push(batch)]
    if not gained:
        return "no negated end"
    return f"{len(gained):,} negated ends known {sum(gained) / len(gained):,.0f} ms before their deadlines"


def bars(results: Mapping[str, Mapping[float, tuple[Cost, Cost]]]) -> Table:
    """What is asked of the constraints beside what is so."""
    shown = Table("query", "fail ratio", "asked", "found", "", box=box.SIMPLE)

    def bar(name: str, ratio: float, asked: str, found: str, met: bool) -> None:
        shown.add_row(name, f"{ratio:.0%}", asked, found, "met" if met else "missed")

    for name, (_, _, least) in EXPERIMENTS.items():
        plain, beside = results[name][RATIOS[-1]]
        fewer, more = 1 - beside.peak / plain.peak, beside.seconds / plain.seconds - 1
        if least:
            bar(name, RATIOS[-1], f"{least:.0%} fewer events at the peak", f"{fewer:.0%}", fewer >= least)
        if name == "AND, fails early":
            bar(name, RATIOS[-1], "less time than without", f"{more:+.1%}", more < 0)
        none, little = results[name][0.0]
        more = little.seconds / none.seconds - 1
        bar(name, 0.0, "at most 3% more time", f"{more:+.1%}", more <= 0.03)
    return shown


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a quarter of the orders")
    parser.add_argument("--plots", type=Path, help="an HTML file for the curves")
    given = parser.parse_args(arguments)
    cases = orders.CASES // 4 if given.quick else orders.CASES
    results = {}
    for name, (text, workflow, _) in EXPERIMENTS.items():
        streams = {ratio: orders.stream(workflow(ratio), cases, batch=cases, seed=SEED) for ratio in RATIOS}
        results[name] = {ratio: compared(text, stream) for ratio, stream in streams.items()}
    console = Console(width=200)
    console.print(table(results), f"Early: {earlier(cases)}.")
    if given.quick:
        console.print("The bars are for the full size: in short streams the cost of a batch weighs more.")
    console.print(bars(results))
    if given.plots:
        chart.draw(curves(results), given.plots)


if __name__ == "__main__":
    main()
