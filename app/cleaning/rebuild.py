"""A cleaned stream at any position of the log, rebuilt from the last snapshot and the rows since."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from app import log
from app.cleaning import snapshots
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import CleanedStream
from app.place import scenario
from app.place.scenario import Scenario


def stream_at(setup: CleaningSetup, position: int) -> CleanedStream:
    """A stream of the caller's own that has seen the log up to the position."""
    stream = CleanedStream(load_once(setup.scenario), setup.lateness_ms, setup.catalogs, setup.learned)
    kept = snapshots.latest(setup.snapshots, position)
    if kept is not None:
        stream.restore(kept)
    start = max(stream.position, log.earliest(setup.log))
    for batch in log.read(setup.log, start, position) if start < position else ():
        stream.push(batch)
    stream.position = position
    return stream


@cache
def load_once(path: Path) -> Scenario:
    """The scenario of a process that works for one place only."""
    return scenario.load(path)
