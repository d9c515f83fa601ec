"""How a running Vigil is doing, from what its parts keep in the store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from app import store

# Parts tell that they live every few seconds; one that has not for this long is gone.
GONE_MS = 15_000
DROPPED = {
    "weak": "too weak",
    "unknown": "of unknown tags",
    "late": "came too late",
    "dead": "could not be read",
}


@dataclass(frozen=True)
class StatusLine:
    name: str
    state: str
    detail: str


def parts(engine: sa.Engine, now_ms: int) -> list[StatusLine]:
    """Each part with its state; silence is a state too."""
    return [
        StatusLine(part.name, part.state if now_ms - part.beat_ms < GONE_MS else "gone", _since(part, now_ms))
        for part in store.list_parts(engine)
    ]


def figures(engine: sa.Engine, now_ms: int) -> Iterator[tuple[str, str]]:
    """The numbers that matter, in words."""
    latest, totals = store.latest(engine), store.totals(engine)
    readers = store.list_readers(engine)
    silent = sum(reader.silent_since_ms is not None or reader.last_seen_ms is None for reader in readers)
    yield (
        "open alerts",
        ", ".join(f"{n} {name}" for name, n in store.open_counts(engine, now_ms).items()) or "none",
    )
    yield "readers", f"{len(readers) - silent} of {len(readers)} heard"
    yield "readings", f"{totals.get('readings', 0):,} in all"
    for name, words in (
        ("readings_per_s", "readings/s"),
        ("delay_ms", "ms of delay"),
        ("lag_rows", "rows behind"),
    ):
        if name in latest:
            yield words, f"{latest[name].value:,.0f}"
    for name, words in DROPPED.items():
        yield words, f"{totals.get(name, 0):,}"


def _since(part: store.PartState, now_ms: int) -> str:
    seconds = (now_ms - part.since_ms) // 1000
    return f"for {seconds} s" + (f": {part.detail}" if part.detail else "")
