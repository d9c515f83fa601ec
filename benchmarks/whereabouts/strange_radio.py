"""A radio that the filter's structure does not mirror, written after the filter: interference.

Now and then something on the same frequencies deafens a reader: for a while it misses most of what it would
have read, of all tags at once, and still says that it is there. No state of the filter is like that: its
hidden things are hidden one by one, and its readers are up or down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulator.play import Play, Scene
from simulator.worlds.world import MINUTE

AN_HOUR, LENGTH_MS, MISSED = 2.0, 90_000.0, 0.8  # how often, how long on average, and how much is missed then


class Interfered(Play):
    """A play whose reads go through interference; what readers say of themselves does not."""

    def scenes(self, length_ms: int) -> Iterator[Scene]:
        draw = np.random.default_rng(self._seed)
        deaf = {
            reader.name: _windows(draw, self.now, self.end or self.now)
            for reader in self._scenario.plan.readers
        }
        for scene in super().scenes(length_ms):
            kept = _kept(scene.reports, deaf, draw)
            yield replace(scene, reports=scene.reports.filter(pa.array(kept)), arrives=scene.arrives[kept])


def _windows(draw: np.random.Generator, start: int, end: int) -> np.ndarray:
    """Beginnings and ends."""
    count = draw.poisson(AN_HOUR * (end - start) / (60 * MINUTE))
    begins = np.sort(draw.uniform(start, end, count))
    return np.column_stack([begins, begins + draw.exponential(LENGTH_MS, count)])


def _kept(reports: pa.RecordBatch, deaf: dict[str, np.ndarray], draw: np.random.Generator) -> np.ndarray:
    times, readers = reports["ts"].to_numpy(), np.array(reports["reader"].to_pylist())
    lost = pc.equal(reports["kind"], "reading").to_numpy(zero_copy_only=False) & (
        draw.random(len(times)) < MISSED
    )
    inside = np.zeros(len(times), bool)
    for reader, windows in deaf.items():
        mine = readers == reader
        for begins, ends in windows:
            inside |= mine & (times >= begins) & (times < ends)
    return ~(lost & inside)
