"""Runs one plan: scans a batch for candidates, keeps them in the window, and lets the kernel match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.events.batch import Batch, DictBatch, batch_of
from sase.events.columns import Tagged
from sase.events.dictionary import Dictionary
from sase.events.growth import extended
from sase.events.table import Origin, Source, Window
from sase.kernels.addresses import addresses
from sase.kernels.intake import LOOSE, lay
from sase.kernels.keys import KeyTable, places
from sase.kernels.layout import CLOCK, GROUP, ORDER
from sase.kernels.program import Program
from sase.kernels.scan import blocks, refine
from sase.kernels.values import FLOAT, MISSING
from sase.operators.runs import RunMachine
from sase.operators.stacks import StackMachine
from sase.operators.tables import order_of_checks, program, spans, table
from sase.plan.bytecode import Registers
from sase.plan.plan import FOREVER, Plan
from sase.results.found import Found

MANY_KEYS = 1 << 20


class MissingKey(Exception):
    """An event that may match any partition: the partitions that plain equalities suggest do not hold."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Events of the window with what cannot be seen in them."""

    source: Source
    positions: NDArray[np.int64]
    orders: NDArray[np.int64]
    spent: NDArray[np.bool_]  # used up by NON-OVERLAP: it can only rule out
    places: NDArray[np.int64]  # how far its partition has been counted, for contiguity


class Engine:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._sorts_strings = plan.sorts_strings
        self._dictionary = Dictionary()
        self._window = Window(len(plan.joiner.attributes), len(plan.shape.negatives))
        self._machine = StackMachine(plan) if plan.stacks else RunMachine(plan)
        parts = plan.partitioning
        self._keys = KeyTable(len(parts.keys))
        self._groups = self._keys if parts.groups == parts.keys else KeyTable(len(parts.groups))
        self._places = np.zeros(1, np.int64)
        self._wanted = _wanted(plan)
        self._tests = _tests(plan)
        self._scan_blocks = blocks(len(plan.scanner.code))
        self._join_program: Program | None = None
        self._scan_program: Program | None = None
        self._dictionary_size = -1

    def push(self, batch: Batch, positions: NDArray[np.int64], kept: Kept | None = None) -> Found:
        """Take a batch in; `kept` tells what a replayed one was when it first came."""
        first = self._window.end
        if len(batch):
            self._take(batch, positions, kept)
        return self._run(first, self._now(batch, positions))

    def advance(self, clock: int) -> Found:
        return self._run(self._window.end, clock)

    def _now(self, batch: Batch, positions: NDArray[np.int64]) -> int:
        if not len(batch):
            return -FOREVER
        return int(positions[-1] if self.plan.unit == "events" else batch.ts[-1])

    def _run(self, first: int, now: int) -> Found:
        self._refresh_programs()
        assert self._join_program is not None
        keys = max(len(self._keys), 1) if self.plan.partitioning.keys else 1
        groups = max(len(self._groups) + 1, 1)
        return self._machine.run(first, now, self._window, self._join_program, keys, groups)

    def _refresh_programs(self) -> None:
        """Constants have codes of this dictionary, and ranks change when it grows."""
        if self._join_program is not None and (
            not self._sorts_strings or self._dictionary_size == len(self._dictionary)
        ):
            return
        rank = np.zeros(0, np.int64)
        for _ in range(2):  # the first round adds the constants to the dictionary
            self._join_program = program(
                self.plan.joiner, self.plan.registers, order_of_checks(self.plan), self._dictionary, rank
            )
            scanned = [p for group in _scan_groups(self.plan) for p in group]
            self._scan_program = program(self.plan.scanner, Registers(), scanned, self._dictionary, rank)
            rank = self._dictionary.ranks() if self._sorts_strings else rank
        self._dictionary_size = len(self._dictionary)

    def _take(self, batch: Batch, positions: NDArray[np.int64], kept: Kept | None) -> None:
        plan, parts = self.plan, self.plan.partitioning
        orders = self._orders(batch, positions) if kept is None else kept.orders
        rows, bits = batch.candidates(self._wanted)
        if kept is not None:
            bits = np.where(kept.spent[rows], bits & ~((1 << (2 * len(plan.shape.components))) - 1), bits)
        columns = self._columns(batch, rows)
        bits = self._refined(bits, columns)
        keys = self._numbers(self._keys, parts.keys, columns, len(rows))
        same = parts.groups == parts.keys
        groups = keys if same else self._numbers(self._groups, parts.groups, columns, len(rows))
        for name in parts.required if not parts.groups else ():
            bits[~_carried(columns[name])] = 0
        here, ts = _of(positions, rows), _of(batch.ts, rows)
        chosen = np.empty(len(rows), np.int64)
        table = self._window.room(len(rows))
        count = lay(
            table,
            here if plan.unit == "events" else ts,
            _of(orders, rows),
            keys,
            groups,
            len(self._groups),  # events in no group share the last one: it is a partition like others
            bits,
            parts.inferred,
            bool(parts.groups),
            addresses(columns[name] for name in plan.joiner.attributes),
            chosen,
        )
        if count == LOOSE:
            raise MissingKey
        if not count:
            return
        if count < len(rows):
            at = chosen[:count]
            rows, here, ts = rows[at], here[at], ts[at]
        if kept is not None:
            self._places = extended(self._places, len(self._groups) + 1, 0)
            self._places[table[:count, GROUP]] = kept.places[rows]
        self._window.append(batch.taken(rows), ts, here)

    def _columns(self, batch: Batch, rows: NDArray[np.int64]) -> dict[str, Tagged]:
        chosen = None if len(rows) == len(batch) else rows
        names = sorted(self.plan.attributes)
        return {name: batch.column(name, chosen, self._dictionary) for name in names}

    def _orders(self, batch: Batch, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The place in the partition, counting the events that no component wants; else in the stream."""
        parts = self.plan.partitioning
        if self.plan.strategy != "partition_contiguity" or not parts.groups:
            return positions
        columns = {name: batch.column(name, None, self._dictionary) for name in parts.groups}
        groups = self._numbers(self._groups, parts.groups, columns, len(batch))
        self._places = extended(self._places, len(self._groups) + 1, 0)
        return places(groups, self._places)  # type: ignore[no-any-return]

    def _refined(self, bits: NDArray[np.int64], columns: dict[str, Tagged]) -> NDArray[np.int64]:
        if not any(scan.programs for scan in self.plan.scans):
            return bits
        self._refresh_programs()
        scanned = addresses(columns[name] for name in self.plan.scanner.attributes)
        refine(bits, self._tests, self._scan_program, scanned, self._scan_blocks)
        return bits

    def _numbers(
        self, table: KeyTable, names: tuple[str, ...], columns: dict[str, Tagged], count: int
    ) -> NDArray[np.int64]:
        if not names:
            return np.zeros(count, np.int64)
        return table.number([columns[name] for name in names])

    def wants(self, batch: Batch) -> NDArray[np.bool_]:
        """Which rows some component can use."""
        rows, bits = batch.candidates(self._wanted)
        columns = self._columns(batch, rows)
        wanted = self._refined(bits, columns) != 0
        for name in self.plan.partitioning.required:
            wanted &= _carried(columns[name])
        found = np.zeros(len(batch), np.bool_)
        found[rows[wanted]] = True
        return found

    def forget(self, now: int) -> None:
        """Drop what no match can reach any more when the clock stands at `now`."""
        if not self.plan.options.push_window:
            return
        if isinstance(self._machine, RunMachine):
            self._machine.sweep(now)
        window = self._window
        clock = window.live[:, CLOCK]
        expired = int(np.searchsorted(clock, now - self.plan.reach, side="right"))
        base = window.base
        window.forget(base + expired)
        if window.base != base:
            self._machine.forget(window.base)

    def origin(self) -> Origin:
        return self._window.origin()

    @property
    def crowded(self) -> bool:
        """Whether most keys ever seen have left the window: time to start over with the live ones."""
        return len(self._keys) > MANY_KEYS and len(self._keys) > 8 * len(self._window)

    @property
    def live_events(self) -> int:
        return len(self._window)

    @property
    def live_matches(self) -> int:
        return self._machine.live

    @property
    def refused(self) -> int:
        return self._machine.cut + (self._machine.refused if isinstance(self._machine, RunMachine) else 0)

    def kept(self, now: int) -> list[Kept]:
        """The window's events, enough to rebuild this engine."""
        window, events = self._window, self._window.live
        groups = events[:, GROUP]
        limits = np.array([self._machine.spent(int(g)) for g in np.unique(groups)] or [-1])
        numbers = window.base + np.arange(len(window))
        spent = (numbers <= limits[np.searchsorted(np.unique(groups), groups)]) & self.plan.once
        reachable = events[:, CLOCK] > now - self.plan.reach
        counted = extended(self._places, len(self._groups) + 1, 0)
        found = []
        for chunk in window.origin().chunks:
            here = slice(max(chunk.first - window.base, 0), chunk.first - window.base + len(chunk.ts))
            at = here.start + np.flatnonzero(reachable[here])
            if len(at):
                rows = numbers[at] - chunk.first
                found.append(
                    Kept(
                        batch_of(chunk.source).taken(rows),
                        chunk.positions[rows],
                        events[at, ORDER],
                        spent[at],
                        counted[groups[at]],
                    )
                )
        return found

    def spend(self, event: dict[str, Any]) -> None:
        """NON-OVERLAP over several disjuncts: another one completed a match in this event's partition."""
        batch = DictBatch([event])
        names = self.plan.partitioning.groups
        columns = {name: batch.column(name, None, self._dictionary) for name in names}
        group = int(self._numbers(self._groups, names, columns, 1)[0])
        self._machine.spend(len(self._groups) if group < 0 else group, self._window.end - 1)


def _of(values: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    return values if len(rows) == len(values) else values[rows]


def _carried(column: Tagged) -> NDArray[np.bool_]:
    """An equivalence test needs a value that equals itself: neither missing nor NaN."""
    value, kind = column
    carried: NDArray[np.bool_] = (kind != MISSING) & ~((kind == FLOAT) & np.isnan(value.view(np.float64)))
    return carried


def _wanted(plan: Plan) -> dict[str, int]:
    wanted: dict[str, int] = {}
    for scan in plan.scans:
        for name in scan.types:
            wanted[name] = wanted.get(name, 0) | 1 << scan.bit
    return wanted


def _scan_groups(plan: Plan) -> list[tuple[int, ...]]:
    """Per bit the programs that test it."""
    groups: list[tuple[int, ...]] = [() for _ in range(max(scan.bit for scan in plan.scans) + 1)]
    for scan in plan.scans:
        groups[scan.bit] = scan.programs
    return groups


def _tests(plan: Plan) -> NDArray[np.int64]:
    return table(spans(_scan_groups(plan)), 2)
