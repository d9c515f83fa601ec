"""How sure an alert is, in words: never more than it is, and nothing where nothing is known."""

from __future__ import annotations

from math import floor

CERTAIN = 1.0


def in_words(probability: float | None) -> str:
    """`96% sure`; nothing of an alert from before there was doubt, and nothing of a certain one."""
    if probability is None or probability >= CERTAIN:
        return ""
    if probability > 0.99:
        return "over 99% sure"
    return f"{floor(100 * probability + 1e-9)}% sure" if probability >= 0.01 else "under 1% sure"
