"""From a batch to rows of the event table: what each event may be, its partition, its values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.events.batch import Batch, DictBatch
from sase.events.columns import Tagged, carried
from sase.events.dictionary import Dictionary
from sase.events.growth import extended
from sase.events.table import EventTable
from sase.kernels.addresses import addresses
from sase.kernels.cells import BITS, GROUP
from sase.kernels.intake import LOOSE, Arrivals, Partitions, lay
from sase.kernels.keys import KeyTable, places
from sase.operators.kept import Kept
from sase.operators.plan import Plan
from sase.operators.programs import Programs
from sase.operators.scan import Scanner

Numbers = NDArray[np.int64]


class MissingKey(Exception):
    """An event that may match any partition: the partitions that plain equalities suggest do not hold."""


class Intake:
    """Codes strings, numbers partitions and tests events; remembers the codes and numbers it has given."""

    def __init__(self, plan: Plan) -> None:
        by = self._by = plan.scan.partitioning
        self._dictionary = Dictionary()
        self.programs = Programs(
            plan.scan.code, plan.joins, plan.matching.scalars, self._dictionary, plan.sorts_strings
        )
        self._scanner = Scanner(plan.scan)
        self._attributes = tuple(sorted(plan.attributes))
        self._laid = plan.joins.attributes
        self._counts_events = plan.counts_events
        self._counts_groups = plan.matching.contiguity == "partition" and bool(by.groups)
        self._positive = (1 << 2 * len(plan.absence.shape.components)) - 1
        self._keys = KeyTable(len(by.keys))
        self._groups = self._keys if by.groups == by.keys else KeyTable(len(by.groups))
        self._places = np.zeros(1, np.int64)

    @property
    def keys(self) -> int:
        """How many partitions there are, at least one."""
        return max(len(self._keys), 1) if self._by.keys else 1

    @property
    def keys_seen(self) -> int:
        return len(self._keys)

    @property
    def groups(self) -> int:
        """How many groups there are; events in no group share the last one: it is a partition like others."""
        return len(self._groups) + 1

    def take(self, batch: Batch, positions: Numbers, kept: Kept | None, table: EventTable) -> None:
        """Lay the events that some component wants into the table."""
        orders = self._orders(batch, positions) if kept is None else kept.orders
        rows, bits = batch.candidates(self._scanner.wanted)
        if kept is not None:
            bits = np.where(kept.spent[rows], bits & ~self._positive, bits)
        columns = self._columns(batch, rows)
        self._scanner.refine(bits, columns, self.programs.scan)
        here, ts = _of(positions, rows), _of(batch.ts, rows)
        clock = here if self._counts_events else ts
        chosen = self._lay(bits, clock, _of(orders, rows), columns, table)
        if not len(chosen):
            return
        if len(chosen) < len(rows):
            rows, here, ts = rows[chosen], here[chosen], ts[chosen]
        if kept is not None:
            self._places = extended(self._places, self.groups, 0)
            self._places[table.room(0)[: len(chosen), GROUP]] = kept.places[rows]
        table.append(batch.taken(rows), ts, here)

    def _lay(
        self, bits: Numbers, clock: Numbers, orders: Numbers, columns: dict[str, Tagged], table: EventTable
    ) -> Numbers:
        """Write the rows behind the table's last one; returns which of the candidates they are."""
        by = self._by
        keys = self._numbers(self._keys, by.keys, columns, len(bits))
        same = by.groups == by.keys
        groups = keys if same else self._numbers(self._groups, by.groups, columns, len(bits))
        for name in by.required if not by.groups else ():
            bits[~carried(columns[name])] = 0
        chosen = np.empty(len(bits), np.int64)
        count = lay(
            table.room(len(bits)),
            Arrivals(clock, orders, keys, groups, bits),
            Partitions(by.inferred, bool(by.groups), len(self._groups)),
            addresses(columns[name] for name in self._laid),
            chosen,
        )
        if count == LOOSE:
            raise MissingKey
        return chosen[:count]

    def wants(self, batch: Batch) -> NDArray[np.bool_]:
        """Which rows some component can use."""
        rows, bits = batch.candidates(self._scanner.wanted)
        columns = self._columns(batch, rows)
        self._scanner.refine(bits, columns, self.programs.scan)
        wanted = bits != 0
        for name in self._by.required:
            wanted &= carried(columns[name])
        found = np.zeros(len(batch), np.bool_)
        found[rows[wanted]] = True
        return found

    def group(self, event: dict[str, Any]) -> int:
        """The group of one event, for NON-OVERLAP."""
        batch = DictBatch([event])
        columns = self._all_columns(batch, self._by.groups)
        group = int(self._numbers(self._groups, self._by.groups, columns, 1)[0])
        return len(self._groups) if group < 0 else group

    def only_rules_out(self, events: Numbers) -> NDArray[np.bool_]:
        """Which rows of the table can be no part of a match."""
        found: NDArray[np.bool_] = events[:, BITS] & self._positive == 0
        return found

    def counted(self, groups: Numbers) -> Numbers:
        """How far these groups have been counted."""
        return extended(self._places, self.groups, 0)[groups]

    def _columns(self, batch: Batch, rows: Numbers) -> dict[str, Tagged]:
        chosen = None if len(rows) == len(batch) else rows
        return {name: batch.column(name, chosen, self._dictionary) for name in self._attributes}

    def _all_columns(self, batch: Batch, names: Iterable[str]) -> dict[str, Tagged]:
        return {name: batch.column(name, None, self._dictionary) for name in names}

    def _orders(self, batch: Batch, positions: Numbers) -> Numbers:
        """The place in the partition, counting the events that no component wants; else in the stream."""
        if not self._counts_groups:
            return positions
        columns = self._all_columns(batch, self._by.groups)
        groups = self._numbers(self._groups, self._by.groups, columns, len(batch))
        self._places = extended(self._places, self.groups, 0)
        return places(groups, self._places)  # type: ignore[no-any-return]

    def _numbers(
        self, table: KeyTable, names: tuple[str, ...], columns: dict[str, Tagged], count: int
    ) -> Numbers:
        if not names:
            return np.zeros(count, np.int64)
        return table.number([columns[name] for name in names])


def _of(values: Numbers, rows: Numbers) -> Numbers:
    return values if len(rows) == len(values) else values[rows]
