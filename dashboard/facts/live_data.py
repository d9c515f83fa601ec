"""What the live page shows, read once for all browsers that watch: ten sessions cost the store one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import sqlalchemy as sa

from app import store
from app.store import Alert, AlertIncident, PartState, Position, ReaderState, SwitchedOff
from dashboard.context import MOST_SITES, Context

FEED_ROWS = 60
FRESH_S = 0.25
# Counting thousands of open alerts takes longer than all the rest; snoozes end without a change being noted.
_COUNTED_S = 5.0
_RECENT_MS = 60_000
# Positions are asked for by time; overlap and starting over catch rows of the same instant and late ones.
_OVERLAP_MS = 10_000
_START_OVER_S = 15.0
_FIGURES = ("readings_per_s", "delay_ms", "lag_rows", "late_share")
T = TypeVar("T")


@dataclass(frozen=True)
class LiveData:
    """What one tick of the live page shows; `change` is the newest change of an alert among it."""

    at_ms: int
    incidents: tuple[AlertIncident, ...]
    open_incidents: int
    positions: dict[str, Position]
    readers: tuple[ReaderState, ...]
    parts: tuple[PartState, ...]
    figures: dict[str, float]
    change: int
    off: tuple[SwitchedOff, ...] = ()
    last: Alert | None = None
    _made: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What is made of the data is the same for all browsers: made for the first, kept for the rest."""
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made


class _Cache:
    """Keeps what was read for a quarter of a second."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._kept: LiveData | None = None
        self._read_at = 0.0
        self._positions: dict[str, Position] = {}
        self._started_over = 0.0
        self._count = 0
        self._counted: tuple[int, float] | None = None

    def newest(self) -> LiveData:
        with self._lock:
            now = time.monotonic()
            if self._kept is None or now - self._read_at > FRESH_S:
                self._kept, self._read_at = self._read(now), now
            return self._kept

    def _read(self, monotonic_s: float) -> LiveData:
        engine, now_ms = self._context.store, self._context.now_ms()
        change = store.last_change(engine)
        incidents = tuple(store.open_incidents(engine, now_ms, limit=FEED_ROWS))
        return LiveData(
            at_ms=now_ms,
            incidents=incidents,
            open_incidents=self._counted_open(engine, now_ms, change, monotonic_s),
            positions=self._where(engine, monotonic_s),
            readers=tuple(store.list_readers(engine)),
            parts=tuple(store.list_parts(engine)),
            figures=_figures(engine, now_ms),
            off=tuple(store.switched_off(engine, self._context.scenario.name)),
            last=store.newest_alert(engine),
            # One that came in between the two questions is among them and must not be news twice.
            change=max([change, *(incident.change for incident in incidents)]),
        )

    def _counted_open(self, engine: sa.Engine, now_ms: int, change: int, monotonic_s: float) -> int:
        known = self._counted
        if known is None or known[0] != change or monotonic_s - known[1] > _COUNTED_S:
            self._count, self._counted = store.count_incidents(engine, now_ms), (change, monotonic_s)
        return self._count

    def _where(self, engine: sa.Engine, monotonic_s: float) -> dict[str, Position]:
        since = 0
        if self._positions and monotonic_s - self._started_over < _START_OVER_S:
            since = max(position.at_ms for position in self._positions.values()) - _OVERLAP_MS
        else:
            self._positions, self._started_over = {}, monotonic_s
        newer = {position.tag: position for position in store.positions(engine, since)}
        self._positions = self._positions | newer
        return self._positions


def _figures(engine: sa.Engine, now_ms: int) -> dict[str, float]:
    """The newest value of each figure; one that is a minute old says nothing about now."""
    found = {name: store.series(engine, name, now_ms - _RECENT_MS) for name in _FIGURES}
    return {name: points[-1].value for name, points in found.items() if points}


_caches: dict[int, tuple[Context, _Cache]] = {}


def newest(context: Context) -> LiveData:
    """From the one cache that this process has for what it shows."""
    kept = _caches.get(id(context))
    if kept is None or kept[0] is not context:
        if len(_caches) >= MOST_SITES:
            _caches.clear()
        kept = _caches[id(context)] = (context, _Cache(context))
    return kept[1].newest()
