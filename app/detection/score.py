"""How good the alerts are: precision, recall and delay of each detector against the truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol

# An alert may come this long after the deed, and a little before it: clocks of readers are not exact.
_LATEST_MS = 2 * 3_600_000
_EARLIEST_MS = 5_000


class Deed(Protocol):
    """What really happened."""

    @property
    def detector(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def ts(self) -> int: ...


class Alarm(Protocol):
    """What was reported."""

    @property
    def detector(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def detected_at(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Score:
    """Counts, so that scores of several runs add up."""

    detector: str
    right: int
    false: int
    missed: int
    delays: tuple[int, ...]

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.false) if self.right + self.false else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def delay_ms(self) -> float | None:
        """The median time from the deed to the alert."""
        return median(self.delays) if self.delays else None

    def plus(self, other: Score) -> Score:
        return Score(
            self.detector,
            self.right + other.right,
            self.false + other.false,
            self.missed + other.missed,
            self.delays + other.delays,
        )


def score(names: Iterable[str], alarms: Sequence[Alarm], deeds: Sequence[Deed]) -> dict[str, Score]:
    """Each deed explains one alarm about the same subject; every other alarm is false."""
    return {
        name: _score(
            name, [a for a in alarms if a.detector == name], [d for d in deeds if d.detector == name]
        )
        for name in names
    }


def total(runs: Iterable[dict[str, Score]]) -> dict[str, Score]:
    """The scores of several runs as one."""
    added: dict[str, Score] = {}
    for run in runs:
        for name, one in run.items():
            added[name] = added[name].plus(one) if name in added else one
    return added


def _score(name: str, alarms: Sequence[Alarm], deeds: Sequence[Deed]) -> Score:
    waiting = sorted(alarms, key=lambda alarm: alarm.detected_at)
    delays = []
    for deed in sorted(deeds, key=lambda deed: deed.ts):
        found = next((alarm for alarm in waiting if _explains(deed, alarm)), None)
        if found is not None:
            waiting.remove(found)
            delays.append(found.detected_at - deed.ts)
    return Score(name, len(delays), len(waiting), len(deeds) - len(delays), tuple(delays))


def _explains(deed: Deed, alarm: Alarm) -> bool:
    late = alarm.detected_at - deed.ts
    return deed.subject == alarm.subject and -_EARLIEST_MS <= late <= _LATEST_MS
