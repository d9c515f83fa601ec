"""How likely and how many, in words; and small tables that a screen reader reads as such."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dashboard.words import text
from dashboard.words.escape import escaped


def percent(chance: float) -> str:
    """Never a hundred: what is believed is not known."""
    if chance > 0.9995:
        return text.whereabouts.CERTAIN
    return f"{chance:.1%}" if chance > 0.99 else f"{chance:.0%}"


def about(number: float) -> str:
    """An expected number: whole where it is large, with a tenth where that says something."""
    near = abs(number - round(number)) < 0.05
    return f"{number:,.0f}" if near or number >= 20 else f"{number:.1f}"


def between(low: int, high: int) -> str:
    return f"{low:,}" if low == high else text.whereabouts.BETWEEN.format(low=f"{low:,}", high=f"{high:,}")


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """As Markdown, every word shown as it is."""
    lines = [headings, ["---"] * len(headings)]
    shown = [[escaped(cell) for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [*lines, *shown])
