"""Events become findings in one process: composite events first, then every detector that is switched on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

import detectors
import sase
from app.place.scenario import Scenario
from detectors.detector import Composite, Detector

Event = dict[str, object]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a detector found, about whom, and when it knew."""

    detector: str
    subject: str
    detected_at: int
    match: sase.Match


class Watch:
    """Incremental; takes the batches of a Cleaner in order. For trials and back-tests, not for production."""

    def __init__(self, scenario: Scenario) -> None:
        known = detectors.load()
        self._makers = [
            _Seat(one, one.compile(scenario.events.get(name))) for name, one in detectors.composites().items()
        ]
        self._composed = {maker.rule.makes for maker in self._makers}
        chosen = scenario.detectors.items()
        self._seats = {name: _Seat(known[name], known[name].compile(values)) for name, values in chosen}
        self._known: Mapping[str, Detector] = known

    def push(self, events: pa.RecordBatch) -> list[Finding]:
        made = [match.event for maker in self._makers for match in maker.push(events)]
        return [
            finding
            for name, seat in self._seats.items()
            for finding in self._findings(name, self._offer(seat, events, made))
        ]

    def advance(self, ts: int) -> list[Finding]:
        """Event time has come this far, whether or not anything happened."""
        for maker in self._makers:
            maker.matcher.advance(ts)
        return [
            finding
            for name, seat in self._seats.items()
            for finding in self._findings(name, _single(seat.matcher.advance(ts)))
        ]

    def _offer(self, seat: _Seat, events: pa.RecordBatch, made: list[Event]) -> Iterable[sase.Match]:
        if not self._composed.intersection(seat.types):
            return seat.push(events)
        wanted = [event for event in made if event["event"] in seat.types]
        together = [*seat.wanted(events).to_pylist(), *wanted]
        return _single(seat.matcher.push(sorted(together, key=_time)))

    def _findings(self, name: str, matches: Iterable[sase.Match]) -> list[Finding]:
        rule = self._known[name]
        return [Finding(name, rule.subject_of(match), match.detected_at, match) for match in matches]


class _Seat:
    """A rule with its matcher, which sees only the events it wants."""

    def __init__(self, rule: Composite, query: sase.Query) -> None:
        self.rule, self.matcher, self.types = rule, query.matcher(), rule.reads()

    def wanted(self, events: pa.RecordBatch) -> pa.RecordBatch:
        return events.filter(pc.is_in(events["event"], pa.array(self.types)))

    def push(self, events: pa.RecordBatch) -> Iterator[sase.Match]:
        return _single(self.matcher.push(self.wanted(events)))


def _single(matches: sase.Matches) -> Iterator[sase.Match]:
    """No detector asks for compressed output."""
    return (match for match in matches if isinstance(match, sase.Match))


def _time(event: Mapping[str, object]) -> int:
    ts = event["ts"]
    return ts if isinstance(ts, int) else 0
