"""Vigil's own time: when messages arrive, on a clock that never jumps, whatever happens to the machine's."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Protocol

import pyarrow.compute as pc

from app import log
from app.clock import Clock
from app.log import LogAddress

# As fast as Unix slews: in ten minutes it moves 0.3 s, which ordering and readers' clocks do not notice.
SLEWED = 0.0005
SEARCHED_ROWS = 200_000


@dataclass(frozen=True, slots=True)
class Anchor:
    """A moment on both clocks: the time of arrival, and how long this run of the machine (its boot) lasts."""

    boot: str
    monotonic_ms: int
    arrival_ms: int


class ArrivalClock:
    """Goes by a clock that nobody sets, tied to the time of day at the start; later differences are made up
    for slowly. A process that follows another on the same boot goes on where that one stood."""

    speed: float | None = None  # it goes as time goes

    def __init__(self, clock: Clock, known: Anchor | None = None) -> None:
        self._clock = clock
        self._at_ms = clock.monotonic_s() * 1000
        self._now = float(self._first(known))

    def now_ms(self) -> int:
        monotonic_ms = self._clock.monotonic_s() * 1000
        elapsed = monotonic_ms - self._at_ms
        behind = self._clock.now_ms() - (self._now + elapsed)
        self._now += elapsed + max(-SLEWED * elapsed, min(behind, SLEWED * elapsed))
        self._at_ms = monotonic_ms
        return int(self._now)

    @property
    def behind_ms(self) -> int:
        """How far the time of day is ahead: more than a moment if the machine's clock was set."""
        return self._clock.now_ms() - self.now_ms()

    def anchor(self) -> Anchor:
        now = self.now_ms()
        return Anchor(self._clock.boot(), int(self._at_ms), now)

    def _first(self, known: Anchor | None) -> int:
        if known is None:
            return self._clock.now_ms()
        if known.boot and known.boot == self._clock.boot():
            return known.arrival_ms + int(self._at_ms) - known.monotonic_ms
        return max(known.arrival_ms, self._clock.now_ms())


class ArrivalTime(Protocol):
    """A clock that dates what arrives."""

    @property
    def speed(self) -> float | None: ...
    @property
    def behind_ms(self) -> int: ...
    def now_ms(self) -> int: ...
    def anchor(self) -> Anchor: ...


def as_text(clock: ArrivalTime) -> str:
    """What a heartbeat says beside the time: where the next process can go on, how far the machine's clock is
    ahead, and how fast time passes if it is played."""
    played = {} if clock.speed is None else {"speed": clock.speed}
    return json.dumps(asdict(clock.anchor()) | {"behind_ms": clock.behind_ms} | played)


def last_anchor(where: LogAddress) -> Anchor | None:
    """Where the clock of the process before stood: as its last heartbeat says, else as its last row came."""
    said: list[str] = []
    received = 0
    for batch in log.tail(where, SEARCHED_ROWS):
        beats = pc.and_(pc.equal(batch["kind"], "heartbeat"), pc.is_valid(batch["detail"]))
        said = batch.filter(beats)["detail"].to_pylist() or said
        received = max(received, pc.max(batch["received"]).as_py())
    if not said:
        return Anchor("", 0, received) if received else None
    known = json.loads(said[-1])
    return Anchor(known["boot"], known["monotonic_ms"], known["arrival_ms"])
