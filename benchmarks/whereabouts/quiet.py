"""Days on which nobody does anything: what is told all the same, and how sure it claims to be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.place.radio import RadioDials
from app.place.scenario import Scenario
from app.store import Alert
from simulator.play import Play
from simulator.trial.attempt import attempt

OPEN_MS = 8 * 3_600_000
LIKELY, CERTAIN = 0.9, 0.99
MOST_LIKELY, DAYS_WITHOUT = 1.0, 0.9  # asked: likely ones a day, and the share of days without a certain one


@dataclass(frozen=True)
class QuietDays:
    """Of each day of eight open hours: false alerts, those that claim 90% and those that claim 99%."""

    alerts: list[int]
    likely: list[int]
    certain: list[int]

    def __str__(self) -> str:
        days = len(self.alerts)
        per_day, without = sum(self.likely) / days, sum(not each for each in self.certain) / days
        met = "met" if per_day <= MOST_LIKELY and without >= DAYS_WITHOUT else "missed"
        return (
            f"{sum(self.alerts)} false alerts in {days} days of 8 open hours; {per_day:.1f} a day claim 90% "
            f"(at most {MOST_LIKELY:.0f} asked), {without:.0%} of the days have none that claims 99% "
            f"({DAYS_WITHOUT:.0%} asked): {met}"
        )


def quiet_days(
    place: Scenario, radio: RadioDials, seeds: Iterable[int], length_ms: int = OPEN_MS
) -> QuietDays:
    days = [_told(place, radio, seed, length_ms) for seed in seeds]
    return QuietDays(*([_claiming(day, least) for day in days] for least in (0.0, LIKELY, CERTAIN)))


def _told(place: Scenario, radio: RadioDials, seed: int, length_ms: int) -> list[Alert]:
    """But for what is so even on a quiet day: a clock that is off."""
    assert place.simulation is not None
    opens = place.simulation.start + place.simulation.opens
    trial = attempt(place, Play(place, seed, radio=radio, start=opens, length_ms=length_ms))
    true = {(incident.detector, incident.subject) for incident in trial.incidents}
    return [alert for alert in trial.alerts if (alert.detector, alert.subject) not in true]


def _claiming(alerts: Iterable[Alert], least: float) -> int:
    """An alert that states no probability is certain."""
    return sum(one.probability is None or one.probability >= least for one in alerts)
