"""From a batch to rows of the event table: what each event may be, its partition, its values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.events.batch import DictBatch
from sase.events.columns import carried
from sase.events.growth import counting, extended
from sase.events.table import EventTable
from sase.events.ts_and_prob import CHANCE
from sase.kernels.addresses import addresses
from sase.kernels.cells import BITS, CASE_OF, GROUP, KEY, VALUES, VERDICTS
from sase.kernels.intake import LOOSE, Arrivals, Candidates, Partitions, lay
from sase.kernels.keys import places
from sase.kernels.memory import lent
from sase.operators.coded import NO_ROWS, CodedBatch
from sase.operators.coding import Coding
from sase.operators.kept import Kept
from sase.operators.plan import Plan
from sase.operators.programs import Programs
from sase.operators.pruning import Pruning, WatchedBatch
from sase.operators.scan import WATCHED, Scanner

Numbers = NDArray[np.int64]
Watched = Sequence[WatchedBatch]  # per group of constraints
USE_LEFT = 2  # the column of what an event may be, of what is kept of verdicts
SETTLES = 1 << 60  # bit of an event after which nothing can rule out the waiting matches of its case
PASSED = 1 << 62  # bit of an event that nobody wants but that contiguity is about, if it happened


class MissingKey(Exception):
    """An event that may match any partition: the partitions that plain equalities suggest do not hold."""


class Intake:
    """Lays the events that one plan wants; what they are coded and numbered by is shared."""

    def __init__(self, plan: Plan, coding: Coding) -> None:
        by = self._by = plan.scan.partitioning
        self._coding = coding
        self.programs = Programs(
            plan.scan.code, plan.joins, plan.matching.scalars, coding.dictionary, plan.sorts_strings
        )
        self._laid = plan.joins.attributes
        self._counts_events = plan.counts_events
        # An event that may not have happened does not surely break a match: the runs must see it.
        self._passes = CHANCE in self._laid and plan.matching.contiguity is not None
        self.doubted = False  # whether any event laid so far may not have happened
        self.scanner = Scanner(plan.scan, plan.attributes, self.programs, PASSED if self._passes else 0)
        self._counts_groups = plan.matching.contiguity == "partition" and bool(by.groups)
        self._positive = (1 << 2 * len(plan.absence.shape.components)) - 1
        self._keys, self._groups = coding.keys(by.keys), coding.keys(by.groups)
        self._places = np.zeros(1, np.int64)
        column = VALUES + 2 * len(plan.joins.attributes) + len(plan.absence.joins)
        self.pruning = None if plan.pruning is None else Pruning(plan.pruning, column)

    @property
    def keys(self) -> int:
        """How many partitions there are, at least one."""
        return max(len(self._keys), 1) if self._by.keys else 1

    @property
    def groups(self) -> int:
        """How many groups there are; events in no group share the last one: it is a partition like others."""
        return len(self._groups) + 1

    def take(
        self,
        batch: CodedBatch,
        position: int,
        kept: Kept | None,
        table: EventTable,
        watched: Watched = (),
    ) -> Numbers:
        """Write the events that some component wants behind the table's last one; which rows they are.

        `position` is the place of the batch in the stream.
        """
        orders = self._orders(batch, position) if kept is None else (kept.orders[batch.rows], 0)
        rows, bits = self._candidates(batch)
        cases = None
        if self.pruning is not None:
            rows, bits = self._with_settling(rows, bits, batch)
            cases = self._judged(watched) if kept is None else None
            if cases is None or self.pruning.holds_back(cases):
                self._keep_back(rows, bits, batch, kept, cases)
        if not len(rows):
            return NO_ROWS
        if kept is not None:
            bits = np.where(kept.spent[batch.rows[rows]], bits & ~self._positive, bits)
        clocks = (batch.places, position) if self._counts_events else (batch.ts, 0)
        chosen = self._lay(Candidates(rows, bits), clocks, orders, batch, table)
        if kept is not None and len(chosen):
            self._places = extended(self._places, self.groups, 0)
            self._places[table.room(0)[: len(chosen), GROUP]] = kept.places[batch.rows[chosen]]
        if self.pruning is not None and len(chosen):
            self._stamp(chosen, batch, kept, cases, table)
        return chosen

    def _judged(self, watched: Watched) -> WatchedBatch:
        """What the groups of constraints that serve say of a batch."""
        assert self.pruning is not None
        return self.pruning.learn([watched[group] for group in self.pruning.plan.groups])

    def _with_settling(self, rows: Numbers, bits: Numbers, batch: CodedBatch) -> tuple[Numbers, Numbers]:
        """With the events that may settle a case."""
        assert self.pruning is not None
        if not self.pruning.plan.releases:
            return rows, bits
        every = np.zeros(len(batch), np.int64)
        every[rows] = bits
        return counting(len(batch)), every

    def _keep_back(
        self, rows: Numbers, bits: Numbers, batch: CodedBatch, kept: Kept | None, cases: WatchedBatch | None
    ) -> None:
        """Clear what is of no use to any partial match; note which events settle a case."""
        assert self.pruning is not None
        if cases is None:  # taken in again: they bring what was left of them
            assert kept is not None
            assert kept.verdicts is not None
            left = kept.verdicts[batch.rows[rows], USE_LEFT]
            bits[:] = bits & left | left & SETTLES
        else:
            settles = self.pruning.judge(rows, bits, cases)
            if len(settles):
                bits[settles] |= SETTLES

    def _stamp(
        self,
        chosen: Numbers,
        batch: CodedBatch,
        kept: Kept | None,
        cases: WatchedBatch | None,
        table: EventTable,
    ) -> None:
        assert self.pruning is not None
        room = table.room(0)[: len(chosen)]
        if cases is not None:
            self.pruning.stamp(chosen, self.keys, cases, room)
        else:
            assert kept is not None
            assert kept.verdicts is not None
            said = np.array([self.pruning.verdict(states) for states in kept.said], np.int64)
            cells = room[:, self.pruning.column : self.pruning.column + VERDICTS]
            cells[:, :CASE_OF] = said[kept.verdicts[batch.rows[chosen], :CASE_OF]]
            cells[:, CASE_OF] = batch.numbers(self.pruning.plan.numbered)[chosen]
            self.pruning.restamp(room[:, KEY], self.keys, kept.positions[batch.rows[chosen]])

    def _lay(
        self,
        wanted: Candidates,
        clocks: tuple[Numbers, int],
        orders: tuple[Numbers, int],
        batch: CodedBatch,
        table: EventTable,
    ) -> Numbers:
        by = self._by
        for name in by.required if by.required != by.groups else ():
            wanted.bits[~carried(batch.column(name))[wanted.rows]] = 0
        if CHANCE in self._laid and not batch.batch.certain:
            uncertain = _chances(batch)[wanted.rows] < 1
            self.doubted |= bool(uncertain.any())
            if self._passes:
                wanted.bits[uncertain] |= PASSED
        keys, groups = batch.numbers(by.keys), batch.numbers(by.groups)
        chosen = lent(len(wanted.rows), np.int64)
        count: int = lay(
            table.room(len(chosen)),
            wanted,
            Arrivals(clocks[0], orders[0], keys, groups, clocks[1], orders[1]),
            Partitions(by.inferred, bool(by.groups), len(self._groups)),
            addresses(batch.column(name) for name in self._laid),
            chosen,
        )
        if count == LOOSE:
            raise MissingKey
        return chosen[:count]

    def wants(self, batch: CodedBatch) -> Numbers:
        """The rows of the batch that some component can use."""
        rows, bits = self._candidates(batch)
        wanted = bits != 0
        doubted = _chances(batch)[rows] < 1 if self._passes else None
        for name in self._by.required:
            has = carried(batch.column(name))[rows]
            wanted &= has
            if doubted is not None and self._by.groups:
                doubted &= has
        found: Numbers = batch.rows[rows[wanted if doubted is None else wanted | doubted]]
        return found

    def group(self, event: dict[str, Any]) -> int:
        """The group of one event, for NON-OVERLAP."""
        if not self._by.groups:
            return 0
        batch, dictionary = DictBatch([event]), self._coding.dictionary
        columns = [batch.column(name, None, dictionary) for name in self._by.groups]
        group = int(self._groups.number(columns)[0])
        return len(self._groups) if group < 0 else group

    def only_rules_out(self, events: Numbers) -> NDArray[np.bool_]:
        """Which rows of the table can be no part of a match."""
        found: NDArray[np.bool_] = events[:, BITS] & self._positive == 0
        return found

    def counted(self, groups: Numbers) -> Numbers:
        """How far these groups have been counted."""
        return extended(self._places, self.groups, 0)[groups]

    def _candidates(self, batch: CodedBatch) -> tuple[Numbers, Numbers]:
        rows, bits = batch.candidates(self.scanner)
        if self.scanner.plan.settling:
            bits &= ~WATCHED
        if not self._passes:
            return rows, bits
        every = np.zeros(len(batch), np.int64)
        every[rows] = bits & ~PASSED
        return counting(len(batch)), every

    def _orders(self, batch: CodedBatch, position: int) -> tuple[Numbers, int]:
        """The place in the partition, counting the events that no component wants; else in the stream."""
        if not self._counts_groups:
            return batch.places, position
        groups = batch.all_numbers(self._by.groups)
        self._places = extended(self._places, self.groups, 0)
        counted: Numbers = places(groups, self._places)
        return counted[batch.rows], 0


def _chances(batch: CodedBatch) -> NDArray[np.float64]:
    values, _ = batch.column(CHANCE)
    return values.view(np.float64)
