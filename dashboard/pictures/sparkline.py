"""A figure's last minutes as a small line without axes: numbers only, nothing from data becomes markup."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT, MARGIN = 300, 44, 3


def svg(values: Sequence[float]) -> str:
    low, high = min(values, default=0.0), max(values, default=0.0)
    span = (high - low) or 1.0
    step = (WIDTH - 2 * MARGIN) / max(1, len(values) - 1)
    points = " ".join(
        f"{MARGIN + at * step:.1f},{HEIGHT - MARGIN - (value - low) / span * (HEIGHT - 2 * MARGIN):.1f}"
        for at, value in enumerate(values)
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="100%" height="{HEIGHT}" preserveAspectRatio="none" '
        f'aria-hidden="true"><polyline points="{points}" fill="none" stroke="#0072b2" stroke-width="2" '
        'vector-effect="non-scaling-stroke"/></svg>'
    )
