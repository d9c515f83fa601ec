"""The incremental matcher: events in, in order; matches out; state bounded by the window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.events.batch import Batch, batch_of
from sase.operators.engine import Engine, Kept, MissingKey
from sase.plan.plan import FOREVER, Plan
from sase.results.found import Found
from sase.results.matches import Groups, Layout, Matches, Segment

NEVER = -FOREVER
NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a matcher needs to go on elsewhere: the window's relevant events, per disjunct."""

    position: int
    time: int
    kept: tuple[tuple[Kept, ...], ...]
    loose: bool


class Matcher:
    def __init__(
        self, plans: Sequence[Plan], loose: Sequence[Plan], layout: Layout, snapshot: Snapshot | None = None
    ) -> None:
        self._plans = plans
        self._loose_plans = loose  # the same without inferred partitions
        self._layout = layout
        self._loose = snapshot is not None and snapshot.loose
        self._engines = [Engine(plan) for plan in (loose if self._loose else plans)]
        self._position = 0
        self._time = NEVER
        if snapshot is not None:
            self._restore(snapshot)

    def push(self, events: Any) -> Matches:
        """Take in a record batch or dicts, in order."""
        batch = self._checked(batch_of(events))
        if self._competing:
            return self._push_singly(batch)
        segments = self._push(batch)
        return self._merged(segments)

    def advance(self, ts: int) -> Matches:
        """Event time has reached ts: negated ends that are due fire."""
        self._time = max(self._time, ts)
        if self._engines[0].plan.unit == "events":
            return Matches(())
        segments = [self._segment(engine, engine.advance(ts), None) for engine in self._engines]
        self._forget()
        return self._merged(segments)

    def finish(self) -> Matches:
        """The end of time: everything that waits fires."""
        segments = [self._segment(e, e.advance(2 * FOREVER - 1), None) for e in self._engines]
        return self._merged(segments)

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
        reach = max(engine.plan.reach for engine in self._engines)
        counted = self._engines[0].plan.unit == "events"
        return NEVER if counted or reach >= FOREVER else self._time - reach

    @property
    def live_events(self) -> int:
        return sum(engine.live_events for engine in self._engines)

    @property
    def live_matches(self) -> int:
        return sum(engine.live_matches for engine in self._engines)

    @property
    def overflow(self) -> int:
        """How many partial or finished matches the limits have cut off."""
        return sum(engine.refused for engine in self._engines)

    @property
    def _competing(self) -> bool:
        """Whether several disjuncts share the partitions of NON-OVERLAP."""
        return len(self._engines) > 1 and self._engines[0].plan.once

    def _checked(self, batch: Batch) -> Batch:
        ts = batch.ts
        if not len(batch):
            return batch
        late = ts[1:] < ts[:-1]
        row = int(np.argmax(late)) + 1 if late.any() else 0
        if row or (self._position and ts[0] < self._time):
            raise ValueError(
                f"event {row + 1} of the batch is older than what came before it (ts {int(ts[row])}); "
                "events must come in the order of ts"
            )
        return batch

    def _push(self, batch: Batch) -> list[Segment]:
        positions = self._position + np.arange(len(batch))
        segments = []
        for i in range(len(self._engines)):
            found = self._push_one(i, batch, positions)
            segments.append(self._segment(self._engines[i], found, batch))
        self._position += len(batch)
        if len(batch):
            self._time = max(self._time, int(batch.ts[-1]))
        self._forget()
        return segments

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
        self._engines = [Engine(plan) for plan in self._loose_plans]
        self._restore(snapshot)

    def _forget(self) -> None:
        for i, engine in enumerate(self._engines):
            engine.forget(self._clock(engine))
            if engine.crowded:
                self._renew(i)

    def _refill(self, engine: Engine, kept: Iterable[Kept]) -> None:
        """Bring an empty engine to where the stream stands; what it finds on the way is known already."""
        for part in kept:
            engine.push(batch_of(part.source), part.positions, part)
        engine.advance(self._clock(engine))

    def _clock(self, engine: Engine) -> int:
        """Where the stream stands in what the engine's window counts: the last position, or the time."""
        return self._position - 1 if engine.plan.unit == "events" else self._time

    def _renew(self, i: int) -> None:
        old = self._engines[i]
        new = Engine(old.plan)
        self._refill(new, old.kept(self._clock(old)))
        self._engines[i] = new

    def _segment(self, engine: Engine, found: Found, batch: Batch | None) -> Segment:
        plan, origin = engine.plan, engine.origin()
        detected = NONE
        if plan.trailing and found.count:
            firsts = found.firsts()
            if plan.unit == "ms":
                detected = origin.all_ts(firsts) + plan.window
            else:
                detected = self._times(origin.all_positions(firsts) + plan.window, batch)
        return Segment(found, origin, self._layout, detected, plan.window, plan.unit)

    def _times(self, positions: NDArray[np.int64], batch: Batch | None) -> NDArray[np.int64]:
        """The time of the events that ended a window counted in events; at the end of input, of the last."""
        if batch is None:
            return np.full(len(positions), self._time)
        return batch.ts[positions - self._position]

    def _merged(self, segments: list[Segment]) -> Matches:
        if self._competing:
            return Matches(segments, self._first_of_each_group(segments))
        if self._engines[0].plan.output == "COMPRESSED" and not self._engines[0].plan.compressed:
            return Groups(Matches(segments, _distinct(segments)))
        if len(segments) == 1:
            return Matches(segments)
        return Matches(segments, _distinct(segments))

    def _push_singly(self, batch: Batch) -> Matches:
        """NON-OVERLAP over several disjuncts: they must hear of each other's matches event by event."""
        segments: list[Segment] = []
        chosen: list[tuple[int, int]] = []
        for row in range(len(batch)):
            new = self._push(batch_of(batch.taken(np.array([row]))))
            for s, i in self._first_of_each_group(new):
                chosen.append((len(segments) + s, i))
            segments.extend(new)
        return Matches(segments, chosen)

    def _first_of_each_group(self, segments: list[Segment]) -> list[tuple[int, int]]:
        found: list[tuple[int, int, Any]] = [
            (s, i, segment.match(i)) for s, segment in enumerate(segments) for i in range(len(segment))
        ]
        found.sort(key=lambda item: (item[2].detected_at, -item[2].positions[0]))
        taken: set[tuple[Any, ...]] = set()
        chosen = []
        for s, i, match in found:
            groups = self._engines[s].plan.partitioning.groups
            first = next(iter(match.events.values()))
            first = first[0] if isinstance(first, list) else first
            group = tuple(first.get(name) for name in groups)
            if group not in taken:
                taken.add(group)
                chosen.append((s, i))
                for engine in self._engines:
                    engine.spend(first)
        return chosen


def _distinct(segments: list[Segment]) -> list[tuple[int, int]]:
    """Every match once, by the moment it was known."""
    seen: set[tuple[int, ...]] = set()
    chosen = []
    for s, segment in enumerate(segments):
        lasts = segment.found.lasts()
        last = segment.origin.all_positions(lasts)
        detected = segment.detected if segment.detected.size else segment.origin.all_ts(lasts)
        for i, key in enumerate(segment.numbers()):
            if key not in seen:
                seen.add(key)
                chosen.append((int(detected[i]), int(last[i]), s, i))
    return [(s, i) for *_, s, i in sorted(chosen)]
