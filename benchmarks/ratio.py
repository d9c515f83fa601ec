"""How two checkouts compare in one row: the median of the ratios per turn, its interval, and the verdict."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from benchmarks.printed import Figure, Figures

LEAST_RATIO = 0.97  # below it even at the upper end, a row fails
MISSED = 0.05  # how often an interval of 95% does not hold the median

Turn = tuple[Figures, Figures]  # what was measured before and after
Verdict = Literal["ok", "fails", "control"]


@dataclass(frozen=True)
class Row:
    name: str
    unit: str
    before: float  # median of the turns
    after: float
    ratios: tuple[float, ...]  # per turn, more is better
    peer: bool

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def verdict(self) -> Verdict:
        if self.peer:
            return "control"
        return "fails" if interval(self.ratios)[1] < LEAST_RATIO else "ok"


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95% interval of the median, by order statistics.

    Each value lies below the true median as often as above, whatever their distribution. So the extremes
    miss it only if all values fall on one side: once in 2 ** (n - 1) times. As many are cut off at both ends
    as the 5% allow: none of 7 or 8 values, one of 9 to 11. A bootstrap of so few promises more than it holds.
    """
    ordered, count = sorted(values), len(values)
    cut, missed = 0, 2 / 2**count
    if missed > MISSED:
        raise ValueError(f"{count} turns are too few for an interval of 95%; at least 6")
    while (missed := missed + 2 * math.comb(count, cut + 1) / 2**count) <= MISSED:
        cut += 1
    return ordered[cut], ordered[-1 - cut]


def rows(turns: Sequence[Turn]) -> list[Row]:
    """Of every row that all turns have."""
    return [_row(name, [(before[name], after[name]) for before, after in turns]) for name in _shared(turns)]


def unpaired(turns: Sequence[Turn]) -> list[str]:
    """Rows that some turn lacks, such as those that a checkout has renamed."""
    every = {name: None for turn in turns for side in turn for name in side}
    return [name for name in every if name not in _shared(turns)]


def _shared(turns: Sequence[Turn]) -> list[str]:
    return [name for name in turns[0][0] if all(name in side for turn in turns for side in turn)]


def _row(name: str, pairs: Sequence[tuple[Figure, Figure]]) -> Row:
    before, after = zip(*pairs, strict=True)
    ratios = tuple(figure.against(earlier) for earlier, figure in pairs)
    old, new = (statistics.median(figure.value for figure in side) for side in (before, after))
    return Row(name, before[0].unit, old, new, ratios, before[0].peer)


def table(suites: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """As Markdown, line by line."""
    yield "| suite | row | unit | before | after | ratio | 95% interval | |"
    yield "|---|---|---|---:|---:|---:|---:|---|"
    for suite, found in suites.items():
        for row in found:
            low, high = interval(row.ratios)
            figures = f"{_shown(row.before)} | {_shown(row.after)} | {row.ratio:.3f} | {low:.3f}–{high:.3f}"
            yield f"| {suite} | {row.name} | {row.unit} | {figures} | {row.verdict} |"


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 1_000 else f"{value:,.3g}"
