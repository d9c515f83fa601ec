"""What clocks that are wrong and reports that are held back cost, beside the same reads in order."""

from __future__ import annotations

from dataclasses import replace

from app.detection.score import Score
from app.place.radio import RadioDials

CLOCKS, HELD = 0.01, 0.03  # by which a score may fall at most


def in_order(dials: RadioDials) -> RadioDials:
    """The same reads to the last one, as if clocks were right and every report came at once."""
    return replace(dials, skew_ms=0, drift=0.0, holds=0.0)


def clocks_only(dials: RadioDials) -> RadioDials:
    """Clocks as wrong as they are, but every report comes at once."""
    return replace(dials, holds=0.0)


def fall(sorted_scores: dict[str, Score], scores: dict[str, Score], most: float) -> str:
    """Each detector's loss of precision or recall, the larger one."""
    lost = {
        name: max(one.precision - scores[name].precision, one.recall - scores[name].recall)
        for name, one in sorted_scores.items()
        if name in scores
    }
    told = ", ".join(f"{name} {each:+.3f}" for name, each in lost.items())
    met = "met" if max(lost.values(), default=0.0) <= most else "missed"
    return f"lost beside sorted input ({most} asked at most): {told}: {met}"
