"""Where sites lie beside each other: by shares of a picture's width and height."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.store import Site

WIDE = 1.4  # as wide as that times its height
_MARGIN = 0.08  # left free on every side, for words beside a mark


@dataclass(frozen=True)
class SiteSpot:
    """In hundredths from the left and from the top."""

    name: str
    left: float
    top: float


def spots(sites: Sequence[Site]) -> list[SiteSpot]:
    """Of those that have a place; where some are on the earth, of those."""
    on_earth = any(site.on_earth and site.x is not None for site in sites)
    known = [(site.name, site.x, site.y) for site in sites if site.on_earth is on_earth]
    placed = [(name, x, y) for name, x, y in known if x is not None and y is not None]
    if not placed:
        return []
    # A degree of longitude is shorter the further north; at a pole it is nothing.
    shrink = (
        max(0.01, math.cos(math.radians(sum(y for _, _, y in placed) / len(placed)))) if on_earth else 1.0
    )
    points = [(name, x * shrink, -y) for name, x, y in placed]
    middle_x, half_x = _span([x for _, x, _ in points])
    middle_y, half_y = _span([y for _, _, y in points])
    half = max(half_y, half_x / WIDE) or 1.0
    inside = 50 * (1 - 2 * _MARGIN)
    return [
        SiteSpot(name, 50 + inside * (x - middle_x) / (half * WIDE), 50 + inside * (y - middle_y) / half)
        for name, x, y in points
    ]


def _span(values: list[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low + high) / 2, (high - low) / 2
