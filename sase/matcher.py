"""The incremental matcher: events in, in order; matches out; state bounded by the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.events.batch import Batch, batch_of
from sase.operators.emission import EmissionPlan
from sase.operators.engine import Engine
from sase.operators.intake import MissingKey
from sase.operators.kept import Kept
from sase.operators.plan import Plan
from sase.plan.window import FOREVER, NEVER
from sase.results.found import Found
from sase.results.match import CompositeType
from sase.results.matches import Groups, Matches, distinct
from sase.results.plan_matches import PlanMatches

END_OF_TIME = 2 * FOREVER - 1


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a matcher needs to go on elsewhere: the window's relevant events, per disjunct."""

    position: int
    time: int
    kept: tuple[tuple[Kept, ...], ...]
    loose: bool


class Matcher:
    def __init__(
        self,
        plans: Sequence[Plan],
        loose_plans: Callable[[], Sequence[Plan]],
        composite: CompositeType,
        snapshot: Snapshot | None = None,
    ) -> None:
        """`loose_plans` are the same without inferred partitions: few streams need them."""
        self._loose_plans = loose_plans
        self._composite = composite
        self._loose = snapshot is not None and snapshot.loose
        self._engines = [Engine(plan) for plan in (loose_plans() if self._loose else plans)]
        self._position = 0
        self._time = NEVER
        if snapshot is not None:
            self._restore(snapshot)

    def push(self, events: Any) -> Matches:
        """Take in a record batch or dicts, in order."""
        batch = self._checked(batch_of(events))
        if self._competing:
            return self._push_singly(batch)
        return self._merged(self._push(batch))

    def advance(self, ts: int) -> Matches:
        """Event time has reached ts: negated ends that are due fire."""
        self._time = max(self._time, ts)
        if self._counts_events:
            return Matches(())
        pieces = self._advance(ts)
        self._forget()
        return self._merged(pieces)

    def finish(self) -> Matches:
        """The end of time: everything that waits fires."""
        return self._merged(self._advance(END_OF_TIME))

    def replay(self, events: Any) -> None:
        """Push without telling: for events whose matches are known already."""
        self.push(events)

    def relevant(self, events: Any) -> NDArray[np.bool_]:
        """Which rows of a batch could take part in a match: the ones to keep for a later replay."""
        batch = batch_of(events)
        found = np.zeros(len(batch), np.bool_)
        for engine in self._engines:
            found |= engine.wants(batch)
        return found

    def snapshot(self) -> Snapshot:
        kept = tuple(tuple(engine.kept(self._clock(engine))) for engine in self._engines)
        return Snapshot(self._position, self._time, kept, self._loose)

    def _restore(self, snapshot: Snapshot) -> None:
        self._position, self._time = snapshot.position, snapshot.time
        for engine, kept in zip(self._engines, snapshot.kept, strict=True):
            self._refill(engine, kept)

    @property
    def horizon(self) -> int:
        """Events at or before this time are needed no more (NEVER without a time window)."""
        reach = max(engine.reach for engine in self._engines)
        return NEVER if self._counts_events or reach >= FOREVER else self._time - reach

    @property
    def next_deadline(self) -> int | None:
        """The time at which `advance` will next find something to do; None: nothing waits for the time."""
        if self._counts_events:
            return None
        waiting = [engine.next_deadline for engine in self._engines]
        return min((deadline for deadline in waiting if deadline is not None), default=None)

    @property
    def live_events(self) -> int:
        return sum(engine.live_events for engine in self._engines)

    @property
    def live_matches(self) -> int:
        return sum(engine.live_matches for engine in self._engines)

    @property
    def overflow(self) -> int:
        """How many partial or finished matches the limits have cut off."""
        return sum(engine.cut for engine in self._engines)

    @property
    def _competing(self) -> bool:
        """Whether several disjuncts share the partitions of NON-OVERLAP."""
        return len(self._engines) > 1 and self._emission.once

    @property
    def _emission(self) -> EmissionPlan:
        return self._engines[0].plan.emission

    @property
    def _counts_events(self) -> bool:
        return self._engines[0].plan.counts_events

    def _checked(self, batch: Batch) -> Batch:
        ts = batch.ts
        if not len(batch):
            return batch
        late = ts[1:] < ts[:-1]
        row = int(np.argmax(late)) + 1 if late.any() else 0
        if row or ts[0] < self._time:
            raise ValueError(
                f"event {row + 1} of the batch is older than what came before it (ts {int(ts[row])}); "
                "events must come in the order of ts"
            )
        return batch

    def _advance(self, clock: int) -> list[PlanMatches]:
        return [self._piece(engine, engine.advance(clock, self._time)) for engine in self._engines]

    def _push(self, batch: Batch) -> list[PlanMatches]:
        positions = self._position + np.arange(len(batch))
        pieces = []
        for i in range(len(self._engines)):
            found = self._push_one(i, batch, positions)
            pieces.append(self._piece(self._engines[i], found))
        self._position += len(batch)
        if len(batch):
            self._time = max(self._time, int(batch.ts[-1]))
        self._forget()
        return pieces

    def _push_one(self, i: int, batch: Batch, positions: NDArray[np.int64]) -> Found:
        try:
            return self._engines[i].push(batch, positions)
        except MissingKey:
            self._loosen()
            return self._engines[i].push(batch, positions)

    def _loosen(self) -> None:
        """Give up inferred partitions for good: start over from the window without them."""
        snapshot = replace(self.snapshot(), loose=True)
        self._loose = True
        self._engines = [Engine(plan) for plan in self._loose_plans()]
        self._restore(snapshot)

    def _forget(self) -> None:
        for i, engine in enumerate(self._engines):
            engine.forget(self._clock(engine))
            if engine.crowded:
                self._renew(i)

    def _refill(self, engine: Engine, kept: Iterable[Kept]) -> None:
        """Bring an empty engine to where the stream stands; what it finds on the way is known already."""
        engine.refill(kept, self._clock(engine), self._time)

    def _clock(self, engine: Engine) -> int:
        """Where the stream stands in what the engine's window counts: the last position, or the time."""
        return self._position - 1 if engine.plan.counts_events else self._time

    def _renew(self, i: int) -> None:
        old = self._engines[i]
        new = Engine(old.plan)
        self._refill(new, old.kept(self._clock(old)))
        self._engines[i] = new

    def _piece(self, engine: Engine, found: Found) -> PlanMatches:
        return PlanMatches(found, engine.origin(), self._composite)

    def _merged(self, pieces: list[PlanMatches]) -> Matches:
        if self._competing:
            return Matches(pieces, self._first_of_each_group(pieces))
        if self._emission.in_groups:
            return Groups(Matches(pieces, distinct(pieces)))
        if len(pieces) == 1:
            return Matches(pieces)
        return Matches(pieces, distinct(pieces))

    def _push_singly(self, batch: Batch) -> Matches:
        """NON-OVERLAP over several disjuncts: they must hear of each other's matches event by event."""
        pieces: list[PlanMatches] = []
        chosen: list[tuple[int, int]] = []
        for row in range(len(batch)):
            new = self._push(batch_of(batch.taken(np.array([row]))))
            for s, i in self._first_of_each_group(new):
                chosen.append((len(pieces) + s, i))
            pieces.extend(new)
        return Matches(pieces, chosen)

    def _first_of_each_group(self, pieces: list[PlanMatches]) -> list[tuple[int, int]]:
        found: list[tuple[int, int, Any]] = [
            (s, i, piece.match(i)) for s, piece in enumerate(pieces) for i in range(len(piece))
        ]
        found.sort(key=lambda item: (item[2].detected_at, -item[2].positions[0]))
        taken: set[tuple[Any, ...]] = set()
        chosen = []
        for s, i, match in found:
            groups = self._engines[s].plan.scan.partitioning.groups
            first = next(iter(match.events.values()))
            first = first[0] if isinstance(first, list) else first
            group = tuple(first.get(name) for name in groups)
            if group not in taken:
                taken.add(group)
                chosen.append((s, i))
                for engine in self._engines:
                    engine.spend(first)
        return chosen
