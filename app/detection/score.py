"""How good the alerts are: precision, recall and delay of each detector against the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol, TypeVar

# An alert may come this long after the incident, and a little before it: clocks of readers are not exact.
_LATEST_MS = 2 * 3_600_000
_EARLIEST_MS = 5_000


class TrueIncident(Protocol):
    """What really happened."""

    @property
    def detector(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def ts(self) -> int: ...


class RaisedAlert(Protocol):
    """What was reported."""

    @property
    def detector(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def detected_ms(self) -> int: ...


Told = TypeVar("Told", bound=TrueIncident)


@dataclass(frozen=True, slots=True)
class Score:
    """Counts, so that scores of several runs add up."""

    detector: str
    right: int
    false: int
    missed: int
    delays: tuple[int, ...]
    unheard: int = 0  # of the missed, those of which the deciding reader had heard nothing

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.false) if self.right + self.false else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def recall_of_heard(self) -> float:
        """Over the incidents of which the deciding reader had heard anything: the others no software sees."""
        heard = self.right + self.missed - self.unheard
        return self.right / heard if heard else 1.0

    @property
    def delay_ms(self) -> float | None:
        """The median time from the incident to the alert."""
        return median(self.delays) if self.delays else None

    def plus(self, other: Score) -> Score:
        return Score(
            self.detector,
            self.right + other.right,
            self.false + other.false,
            self.missed + other.missed,
            self.delays + other.delays,
            self.unheard + other.unheard,
        )


def score(
    names: Iterable[str],
    alerts: Sequence[RaisedAlert],
    incidents: Sequence[Told],
    heard: Callable[[Told], bool] = lambda _: True,
) -> dict[str, Score]:
    """Each incident explains one alert about the same subject; every other alert is false."""
    return {
        name: _score(
            name,
            [one for one in alerts if one.detector == name],
            [one for one in incidents if one.detector == name],
            heard,
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


def _score(
    name: str, alerts: Sequence[RaisedAlert], incidents: Sequence[Told], heard: Callable[[Told], bool]
) -> Score:
    waiting = sorted(alerts, key=lambda alert: alert.detected_ms)
    delays: list[int] = []
    unheard = 0
    for incident in sorted(incidents, key=lambda incident: incident.ts):
        found = next((alert for alert in waiting if _explains(incident, alert)), None)
        if found is not None:
            waiting.remove(found)
            delays.append(found.detected_ms - incident.ts)
        elif not heard(incident):
            unheard += 1
    return Score(name, len(delays), len(waiting), len(incidents) - len(delays), tuple(delays), unheard)


def _explains(incident: TrueIncident, alert: RaisedAlert) -> bool:
    late = alert.detected_ms - incident.ts
    return incident.subject == alert.subject and -_EARLIEST_MS <= late <= _LATEST_MS
