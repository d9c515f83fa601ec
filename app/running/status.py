"""How a running Vigil is doing, from what its parts keep in the store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from app import log, store
from app.settings import Settings

# Parts tell that they live every few seconds; one that has not for this long is gone.
GONE_MS = 15_000
DEMO = "demo"  # the folder of `vigil demo`, below that of the data
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


def store_url(settings: Settings, now_ms: int) -> str:
    """The store of what runs with these settings; else that of a demo that runs here."""
    own = Path(sa.make_url(settings.store).database or "")
    is_there = bool(settings.store_url) or own.is_file()
    demo = running_demo(settings, now_ms)
    return (
        demo
        if demo and not (is_there and _is_alive(settings.store, now_ms, settings.site))
        else settings.store
    )


def running_demo(settings: Settings, now_ms: int) -> str | None:
    """The store of the demo whose folder lies among the data, if it is alive."""
    url = f"sqlite:///{settings.data / DEMO / 'store.db'}"
    return url if _is_alive(url, now_ms) else None


def _is_alive(url: str, now_ms: int, site: str = "") -> bool:
    try:
        engine = store.find_store(url, site)
        beats = [part.beat_ms for part in store.list_parts(engine)]
        engine.dispose()
    except (OSError, sa.exc.SQLAlchemyError):
        return False
    return any(now_ms - beat < GONE_MS for beat in beats)


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


def log_words(settings: Settings) -> Iterator[str]:
    """Of a log that another server keeps: that may be away while everything here is up."""
    if settings.log_url:
        try:
            rows, size = log.end(settings.log) - log.earliest(settings.log), log.size(settings.log)
            yield f"{settings.log}: {rows:,} rows, {size / 2**20:,.1f} MiB"
        except log.LogError as error:
            yield str(error)


def _since(part: store.PartState, now_ms: int) -> str:
    seconds = (now_ms - part.since_ms) // 1000
    return f"for {seconds} s" + (f": {part.detail}" if part.detail else "")
