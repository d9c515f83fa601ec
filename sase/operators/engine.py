"""Runs one plan: takes batches into the event table, lets the machine match, and forgets what is over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.events.batch import Batch, batch_of
from sase.events.table import EventTable, Origin
from sase.kernels.cells import CLOCK, GROUP, ORDER
from sase.operators.intake import Intake
from sase.operators.kept import Kept
from sase.operators.plan import Plan
from sase.plan.window import NEVER
from sase.results.found import Found

MANY_KEYS = 1 << 20


class Engine:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.reach = plan.reach
        self._counts_events = plan.counts_events
        self._intake = Intake(plan)
        self._table = EventTable(len(plan.joins.attributes), len(plan.absence.joins))
        self._machine = plan.machine()

    def push(self, batch: Batch, positions: NDArray[np.int64]) -> Found:
        if not len(batch):
            return self._run(self._table.end, NEVER)
        found = self._push(batch, positions, None)
        if found.detected is None or not self._counts_events:
            return found
        # Its window ended with an event of this batch: it was known at the time of that event.
        return replace(found, detected=batch.ts[found.detected - positions[0]])

    def refill(self, kept: Iterable[Kept], clock: int, time: int) -> None:
        """Take in again what another engine has kept, up to where its stream stood.

        What is found on the way is known already, or false for want of what is forgotten: it uses nothing up.
        """
        self._machine.outlet.uses_up = False
        for events in kept:
            self._push(batch_of(events.source), events.positions, events)
        self.advance(clock, time)
        self._machine.outlet.uses_up = True

    def _push(self, batch: Batch, positions: NDArray[np.int64], kept: Kept | None) -> Found:
        first = self._table.end
        self._intake.take(batch, positions, kept, self._table)
        return self._run(first, int(positions[-1] if self._counts_events else batch.ts[-1]))

    def advance(self, clock: int, time: int) -> Found:
        """Let the clock reach a position or a time; `time` is where the stream stands."""
        found = self._run(self._table.end, clock)
        if found.detected is None or not self._counts_events:
            return found
        return replace(found, detected=np.full(found.count, time))

    def _run(self, first: int, now: int) -> Found:
        intake = self._intake
        return self._machine.run(first, now, self._table, intake.programs.joins, intake.keys, intake.groups)

    def wants(self, batch: Batch) -> NDArray[np.bool_]:
        """Which rows some component can use."""
        return self._intake.wants(batch)

    def forget(self, now: int) -> None:
        """Drop what no match can reach any more when the clock stands at `now`."""
        if not self.plan.matching.window.pruned:
            return
        self._machine.sweep(now)
        table = self._table
        expired = int(np.searchsorted(table.live[:, CLOCK], now - self.reach, side="right"))
        base = table.base
        table.forget(base + expired)
        if table.base != base:
            self._machine.forget(table.base)

    def origin(self) -> Origin:
        return self._table.origin()

    @property
    def crowded(self) -> bool:
        """Whether most keys ever seen have left the window: time to start over with the live ones."""
        seen = self._intake.keys_seen
        return seen > MANY_KEYS and seen > 8 * len(self._table)

    @property
    def live_events(self) -> int:
        return len(self._table)

    @property
    def live_matches(self) -> int:
        return self._machine.live

    @property
    def cut(self) -> int:
        return self._machine.cut

    @property
    def next_deadline(self) -> int | None:
        return self._machine.outlet.next_deadline

    def kept(self, now: int) -> list[Kept]:
        """The window's events, enough to rebuild this engine."""
        table, events = self._table, self._table.live
        groups = events[:, GROUP]
        spent = self._spent(groups)
        reachable = events[:, CLOCK] > now - self.reach
        counted = self._intake.counted(groups)
        found = []
        for chunk in table.origin().chunks:
            here = slice(max(chunk.first - table.base, 0), chunk.first - table.base + len(chunk.ts))
            at = here.start + np.flatnonzero(reachable[here])
            if len(at):
                rows = table.base + at - chunk.first
                source = batch_of(chunk.source).taken(rows)
                found.append(Kept(source, chunk.positions[rows], events[at, ORDER], spent[at], counted[at]))
        return found

    def _spent(self, groups: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Per event of the table whether NON-OVERLAP has used it up."""
        numbers = self._table.base + np.arange(len(groups))
        if not self.plan.emission.once:
            return np.zeros(len(groups), np.bool_)
        distinct, at = np.unique(groups, return_inverse=True)
        limits = np.array([self._machine.outlet.spent(int(group)) for group in distinct], np.int64)
        # What was used up before this engine began has come back as what can only rule out.
        spent: NDArray[np.bool_] = (numbers <= limits[at]) | self._intake.only_rules_out(self._table.live)
        return spent

    def spend(self, event: dict[str, Any]) -> None:
        """NON-OVERLAP over several disjuncts: another one completed a match in this event's partition."""
        self._machine.outlet.spend(self._intake.group(event), self._table.end - 1)
