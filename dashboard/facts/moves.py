"""The minutes around an alert, to be walked through: where what moved was at any moment of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sqlalchemy as sa

from app import store
from app.store import Alert, ItemMove, Silence

AROUND_MS = 2 * 60_000
LONGEST_MS = 15 * 60_000


@dataclass(frozen=True)
class Movements:
    """`moves` are in order and begin with where everything stood; `followed` are the alert's own tags."""

    from_ms: int
    until_ms: int
    moves: tuple[ItemMove, ...]
    silences: tuple[Silence, ...]
    followed: tuple[str, ...]


def around(engine: sa.Engine, alert: Alert) -> Movements:
    """Two minutes before and after; of a long story, its last quarter of an hour."""
    until = max(alert.occurred_ms, alert.detected_ms) + AROUND_MS
    start = max(alert.started_ms - AROUND_MS, until - LONGEST_MS)
    followed = tuple(dict.fromkeys(_tags(alert)))
    trail = store.trail(engine, start, until)
    tags = list(dict.fromkeys([*followed, *(move.tag for move in trail)]))
    before = sorted(store.standing(engine, start - 1, tags), key=lambda move: move.at_ms)
    silences = store.silences_between(engine, start, until)
    return Movements(start, until, (*before, *trail), tuple(silences), followed)


def _tags(alert: Alert) -> Iterable[str]:
    return (str(seen.attributes["tag"]) for seen in alert.evidence.events if seen.attributes.get("tag"))
