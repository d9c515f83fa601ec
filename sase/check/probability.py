"""The bounds of a probability given in a query."""

from __future__ import annotations

from sase.errors import problem
from sase.language.messages import PROBABILITY
from sase.language.tree import Place, Value


def probability(value: Value, text: str, place: Place) -> float:
    """The value as a probability in (0, 1]; QueryError if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise problem(PROBABILITY, text, place)
    return float(value)
