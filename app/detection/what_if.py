"""What other parameters would have meant: a detector twice over the recording, as it stands and as it might.

`python -m app.detection.what_if` is given a pickled `Question` by its parent and prints an `Answer` as a line
of JSON whenever it knows more: a process of its own, so that pages stay quick meanwhile.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app import log
from app.cleaning.stream import CleanedStream
from app.detection.in_process import InProcess
from app.log import LogAddress
from app.log.by_time import positions_between
from app.place import scenario

_NEVER_MS = 2**62


@dataclass(frozen=True)
class Question:
    """About the alerts of one detector from some moment on."""

    scenario: str
    log: LogAddress
    lateness_ms: int
    detector: str
    present: Mapping[str, Any]
    other: Mapping[str, Any]
    from_ms: int


@dataclass(frozen=True)
class Answer:
    """How many alerts there were so far with the one and the other; `done` goes from 0 to 1."""

    done: float
    present: int
    other: int
    from_ms: int = 0  # the recording may begin later than was asked for


def answers(question: Question) -> Iterator[Answer]:
    """Better and better ones; the last is whole."""
    place = scenario.load(Path(question.scenario))
    stream = CleanedStream(place, question.lateness_ms)
    tried = [InProcess(place, {question.detector: values}) for values in (question.present, question.other)]
    start, stop = positions_between(question.log, question.from_ms, _NEVER_MS)
    counts, first_ms = [0, 0], 0
    for rows in log.read(question.log, start, stop):
        first_ms = first_ms or int(rows["received"][0].as_py())
        cleaned = stream.push(rows)
        counts = [
            count + _fired(one, question.detector, cleaned) for count, one in zip(counts, tried, strict=True)
        ]
        yield Answer((stream.position - start) / max(1, stop - start), counts[0], counts[1], first_ms)
    cleaned = stream.finish()
    counts = [
        count + _fired(one, question.detector, cleaned) for count, one in zip(counts, tried, strict=True)
    ]
    yield Answer(1.0, counts[0], counts[1], first_ms)


def _fired(tried: InProcess, detector: str, cleaned: Any) -> int:
    return sum(match.query == detector for match in tried.matches(cleaned))


def main() -> None:
    os.nice(10)
    for answer in answers(pickle.load(sys.stdin.buffer)):
        print(json.dumps(asdict(answer)), flush=True)


if __name__ == "__main__":
    main()
