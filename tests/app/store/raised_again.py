"""`python -m tests.app.store.raised_again URL FILE BATCHES`: raises alerts batch by batch, as a pipeline does
that is killed again and again: what was not noted as done is raised once more."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from app import store
from app.store import Alert, Evidence, IncidentTie, Seen

EXITS = 3
LATE = 4  # batches after which the last of a thief's things is told


def batches(number: int) -> Iterator[list[Alert]]:
    """In each a thief at one of the exits with three things, and one thing of a thief of before."""
    chance = random.Random(19)
    late: list[list[Alert]] = [[] for _ in range(number + LATE)]
    for batch in range(number):
        at = 60_000 * batch
        tie = IncidentTie(f"exit {chance.randrange(EXITS)}", 10_000)
        things = [_alert(f"{batch:04}-{thing}", at + chance.randrange(9_000), tie) for thing in range(4)]
        late[batch + LATE].append(things.pop())
        yield [*things, *late[batch]]


def _alert(id_: str, at_ms: int, tie: IncidentTie) -> Alert:
    evidence = Evidence("", {}, (Seen("x", "EXIT-READING", at_ms, "exit", "gate", {"id": id_}),))
    times = (at_ms, at_ms, at_ms)
    return Alert(id_, "s", "d", "1", "high", "Shoplifting", id_, "exit", *times, "Why.", "", evidence, (tie,))


def main(url: str, done: Path, number: int) -> None:
    engine = store.open_store(url)
    begun = int(done.read_text()) if done.exists() else 0
    for at, alerts in enumerate(batches(number)):
        if at >= begun:
            store.record_alerts(engine, alerts, now_ms=at)
            noted = done.with_suffix(".new")
            noted.write_text(str(at + 1))
            noted.replace(done)  # a kill before this line raises the batch again


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
