"""What the oracle says of a trial, in a form that the engine's answer can be held against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sase.check.query import check
from sase.language.parse import parse
from tests.sase.oracle import worlds
from tests.sase.oracle.definition import OracleMatch
from tests.sase.queries import Trial

END = 10**9  # later than any time and behind any position of a random stream


class Truth:
    """Events of trials carry their position as `n`, by which the engine's matches are compared."""

    def __init__(self, trial: Trial) -> None:
        self.query = check(parse(trial.query), trial.query)
        self.all = worlds.every_match(self.query, trial.events)
        self.every = {_expected(match): match for match in self.all}
        self.emitted = worlds.emitted(self.query, self.all, trial.events)

    def expected(self, before: int = END, time: int = -1) -> list[str]:
        """What is out when the events before a position have come and time has reached `time`."""
        out = [
            match
            for match in self.emitted
            if match.known < before or (match.due is not None and match.due <= time)
        ]
        return self._comparable(map(_expected, out))

    def found(self, results: Iterable[Any]) -> list[str]:
        return self._comparable(map(_found, enumerated(results)))

    def moments(self, results: Iterable[Any]) -> list[int]:
        """When each of the engine's matches completes."""
        return [self.every[_found(match)].completes for match in enumerated(results)]

    def _comparable(self, keys: Iterable[str]) -> list[str]:
        return sorted(self._choice(key) if self.query.output == "NON-OVERLAP" else key for key in keys)

    def _choice(self, key: str) -> str:
        """Of matches that start and complete together NON-OVERLAP may choose any."""
        match = self.every.get(key)
        return f"{match.first} to {match.completes}" if match else f"no match: {key}"


def enumerated(results: Iterable[Any]) -> Iterator[Any]:
    """Matches one by one, those of compressed results too."""
    for result in results:
        yield from result.enumerate() if hasattr(result, "enumerate") else [result]


def _expected(match: OracleMatch) -> str:
    return f"{sorted(match.events.items())} {match.start} to {match.end} @{match.detected_at}"


def _found(match: Any) -> str:
    events = sorted((name, _positions(held)) for name, held in match.events.items())
    return f"{events} {match.start} to {match.end} @{match.detected_at}"


def _positions(held: Any) -> Any:
    return [event["n"] for event in held] if isinstance(held, list) else held["n"]
