"""The fast filter, for many entities: each is brought up to date when it is seen, or swept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.belief.filters import snapshot
from sase.belief.filters.belief import LONGEST_GAP, Belief
from sase.belief.filters.full import FullFilter
from sase.belief.filters.intake import BeliefIntake, Entry
from sase.belief.filters.past import Block, Past
from sase.belief.filters.snapshot import Parts
from sase.belief.filters.telling import Change
from sase.belief.filters.testimony import weighed
from sase.belief.sightings.columns import Columns, first_late
from sase.belief.sightings.reading import Sighting
from sase.belief.world.hearing import Hearing
from sase.belief.world.hours import Hours
from sase.belief.world.motion import Floats, Motion
from sase.kernels import whereabouts as loops

_PARTS = 8  # units of time in the shortest poll
_NO_POLL = 8000  # milliseconds, where there is no Watch
_FAR = 40  # powers of two of the longest time in the table
_FEWEST = 4096  # changes that there is room for


def rules_of(motion: Motion, hearing: Hearing, above: float, below: float) -> loops.Rules:
    polls = hearing.every[hearing.is_watch]
    poll = int(polls.min()) if len(polls) else _NO_POLL
    unit = max(poll // _PARTS, 1)
    near = [motion.between(unit * n) for n in range(loops.UNITS)]
    far = [motion.between(unit * loops.UNITS << power) for power in range(_FAR)]
    return loops.Rules(
        unit,
        poll,
        np.stack(near).astype(np.float32),
        np.stack(far).astype(np.float32),
        motion.place_of.astype(np.int64),
        hearing.chance.astype(np.float32),
        -np.log(np.maximum(1 - hearing.by_place, 1e-3)),
        hearing.by_place.argmax(axis=1),
        hearing.every,
        LONGEST_GAP,
        above,
        below,
    )


class FastFilter:
    """Sightings that name nobody tie nobody: a product of marginals is kept, as `approximate` says."""

    def __init__(
        self, belief: Belief, intake: BeliefIntake, above: float, below: float, keep: int | None
    ) -> None:
        self._belief, self._intake = belief, intake
        self._columns = Columns(list(intake.number), belief.hearing)
        self._behind = None if keep is None else FastFilter(belief.copied(), intake, above, below, None)
        self._kept = Past(keep)
        self._rules = rules_of(belief.motion, belief.hearing, above, below)
        entities, states = belief.alone.shape
        places = len(belief.motion.places)
        told = (belief.alone @ belief.motion.membership) >= above
        self._crowd = loops.Crowd(
            belief.alone.astype(np.float32),
            np.zeros((entities, states), np.float32),
            np.zeros(entities, np.uint8),
            np.zeros(entities, np.int64),
            np.zeros((entities, places)),
            np.zeros(entities, np.int64),
            told.astype(np.uint8),
            np.full(entities, -1, np.int64),
        )
        self._present = loops.Present(
            np.zeros(4, np.int64),
            np.zeros(places),
            np.full(len(belief.hearing.names), loops.NEVER, np.int64),
            np.zeros((3, states), np.float32),
            np.zeros(places),
        )
        self._changes = _room(_FEWEST)
        self._asked: Belief | None = None
        self.clock: int | None = None

    def belief(self) -> Belief:
        """Of everybody, at the present moment; the same until something comes in."""
        if self._asked is None:
            whole: Any = np.empty_like(self._crowd.believed)  # half the memory will do to answer questions
            loops.brought(self.clock or 0, 0, self._crowd, self._rules, self._present, whole)
            self._asked = Belief(self._belief.motion, self._belief.hearing, whole)
            self._asked.approximate = self._belief.approximate
        return self._asked

    def marginal(self, entity: int) -> Floats:
        if self._asked is not None:
            return np.asarray(self._asked.alone[entity], float)
        one = np.empty((1, self._crowd.believed.shape[1]), np.float32)
        loops.brought(self.clock or 0, entity, self._crowd, self._rules, self._present, one)
        return np.asarray(one[0], float)

    def take(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._keep(entry)
            self._reach(entry.ts)
            if isinstance(entry, Sighting):
                self._see_one(entry)
            elif entry.sensor is not None:
                loops.work(self._sensor(entry.sensor), entry.ts, self._rules, self._present)

    def take_batch(self, rows: Any) -> bool:
        """Take a batch whose rows all name somebody whom a Watch has heard; False: it is no such batch."""
        columns = self._columns.read(rows)
        if columns is None or first_late(columns[0], self.clock) is not None:
            return False
        self.see(*columns)
        self._keep(columns)
        return True

    def at(self, entity: int, ts: int) -> Floats:
        """Where it was, by its own sightings and what sensors were said to work."""
        assert self._behind is not None
        name = list(self._intake.number)[entity]
        alone = Belief(
            self._belief.motion, self._belief.hearing, self._behind.marginal(entity)[None, :].copy()
        )
        alone.clock = self._behind.clock
        one = FullFilter.of_one(alone, BeliefIntake([name], Hours([name], {})))
        one.take(self._kept.of(entity, name, self._belief.hearing.names))
        return one.at(0, ts)

    def earliest(self) -> int | None:
        return None if self._behind is None else self._behind.clock or self._kept.first

    def see(self, ts: NDArray[np.int64], sensors: NDArray[np.int64], entities: NDArray[np.int64]) -> None:
        """Sightings by Watches that name their entities, as numbers, in the order of ts."""
        at = 0
        while at < len(ts):
            self._reach(int(ts[at]))
            until = int(np.searchsorted(ts, self._due(), side="left"))
            self._see(ts[at:until], sensors[at:until], entities[at:until])
            at = until

    def changes(self, above: float, below: float) -> list[Change]:
        if (above, below) != (self._rules.above, self._rules.below):
            self._rules = self._rules._replace(above=above, below=below)
            self._sweep(self.clock or 0, 0, len(self._crowd.time), 0)
        count = int(self._present.cells[loops.FOUND])
        found = self._changes
        # As the full filter has it: of what one moment brings to an entity, what it left comes first.
        new = (np.diff(found.ts[:count], prepend=-1) != 0) | (np.diff(found.entity[:count], prepend=-1) != 0)
        order = np.lexsort((found.entered[:count], np.cumsum(new)))
        columns = [column[order].tolist() for column in found]
        self._present.cells[loops.FOUND] = 0
        return [Change(bool(kind), *rest) for kind, *rest in zip(*columns, strict=True)]

    def parts(self) -> Parts:
        """All that it needs to go on."""
        found = int(self._present.cells[loops.FOUND])
        arrays = {f"crowd.{name}": array for name, array in self._crowd._asdict().items()}
        arrays |= {f"present.{name}": array for name, array in self._present._asdict().items()}
        arrays |= {f"changes.{name}": array[:found] for name, array in self._changes._asdict().items()}
        facts = {
            "clock": self.clock,
            "approximate": self._belief.approximate,
            "limits": [self._rules.above, self._rules.below],
        }
        kept = snapshot.under("kept", self._kept.parts())
        behind = [] if self._behind is None else [snapshot.under("behind", self._behind.parts())]
        return snapshot.together((facts, arrays), kept, *behind)

    def restore(self, parts: Parts) -> None:
        facts, arrays = parts
        self._asked, self.clock, self._belief.approximate = None, facts["clock"], facts["approximate"]
        above, below = facts["limits"]
        self._rules = self._rules._replace(above=above, below=below)
        for name, held in (("crowd", self._crowd), ("present", self._present)):
            for field, array in held._asdict().items():
                array[...] = arrays[f"{name}.{field}"]
        self._changes = _room(max(2 * len(arrays["changes.ts"]), _FEWEST))
        for field, array in self._changes._asdict().items():
            array[: len(arrays["changes.ts"])] = arrays[f"changes.{field}"]
        self._kept.restore(snapshot.of("kept", parts))
        if self._behind is not None:
            self._behind.restore(snapshot.of("behind", parts))

    def _see(self, ts: NDArray[np.int64], sensors: NDArray[np.int64], entities: NDArray[np.int64]) -> None:
        self._asked = None
        done = 0
        while done < len(ts):
            self._make_room()
            done = loops.see(
                ts, sensors, entities, done, self._crowd, self._rules, self._present, self._changes
            )
        if len(ts):
            self.clock = int(ts[-1])

    def _keep(self, seen: Block | Entry) -> None:
        """What has become too old to be kept goes into the filter that stays behind."""
        if self._behind is not None:
            for old in self._kept.add(seen):
                if isinstance(old, tuple):
                    self._behind.see(*old)
                else:
                    self._behind.take([old])
            self._behind.forget_changes()

    def forget_changes(self) -> None:
        self._present.cells[loops.FOUND] = 0

    def _see_one(self, entry: Sighting) -> None:
        sensor = self._sensor(entry.sensor)
        weights, stranger = self._intake.weights(entry)
        watch = bool(self._belief.hearing.is_watch[sensor])
        if watch and entry.sure == 1 and list(weights.values()) == [1.0]:
            entity = np.array(list(weights), np.int64)
            self._see(np.array([entry.ts]), np.array([sensor]), entity)
            return
        for e in weights:
            self._sweep(entry.ts, e, e + 1, 0)
        factor = self._belief.hearing.factor(sensor) if watch else None
        passing = None if watch else self._belief.hearing.passing(sensor, entry.to)
        believed = {e: self._crowd.believed[e].astype(float) for e in weights}
        testimony = weighed(believed, weights, stranger, entry.sure, factor, passing)
        self._belief.approximate |= len(testimony.concerned) > 1
        for e in testimony.concerned:
            for rows in (self._crowd.believed, self._crowd.given):
                changed = testimony.on(rows[e].astype(float), [e])
                rows[e] = changed / changed.sum() if changed.sum() > 0 else rows[e]
            self._sweep(entry.ts, e, e + 1, 0)

    def _reach(self, ts: int) -> None:
        """Time passes up to here; whoever is silent is swept at fixed moments, however the input is cut."""
        self._asked = None
        if self.clock is None:
            self._crowd.time[:] = self._crowd.counted[:] = ts
            self._present.cells[loops.SWEPT] = ts - ts % self._period
        while ts >= self._due():
            # Without a new sign of life, silence says nothing: one sweep does for all that are due.
            skipped = 0 if self._present.cells[loops.LOUDER] else (ts - self._due()) // self._period
            due = self._due() + skipped * self._period
            self._present.cells[loops.SWEPT] = due
            self._present.cells[loops.LOUDER] = 0
            self._sweep(due, 0, len(self._crowd.time), self._period)
        self.clock = ts

    def _sweep(self, now: int, first: int, last: int, silent: int) -> None:
        while first < last:
            self._make_room()
            first = loops.sweep(
                now, first, last, silent, self._crowd, self._rules, self._present, self._changes
            )

    def _due(self) -> int:
        return int(self._present.cells[loops.SWEPT]) + self._period

    @property
    def _period(self) -> int:
        return loops.UNITS * self._rules.unit

    def _make_room(self) -> None:
        """Twice as much where there is not enough for what one entity may bring."""
        if int(self._present.cells[loops.FOUND]) + 2 * self._crowd.told.shape[1] > len(self._changes.ts):
            larger = _room(2 * len(self._changes.ts))
            for name, old in self._changes._asdict().items():
                getattr(larger, name)[: len(old)] = old
            self._changes = larger

    def _sensor(self, name: str) -> int:
        return self._belief.hearing.number[name]


def _room(size: int) -> loops.ChangesFound:
    return loops.ChangesFound(
        np.zeros(size, np.uint8),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size),
    )
