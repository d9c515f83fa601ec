"""A batch for all the engines that read it: decoded, coded and numbered once, on demand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.events.batch import Batch
from sase.events.dictionary import Tagged
from sase.events.growth import counting, noughts
from sase.events.table import Source
from sase.kernels.intake import SIZE, candidates, merge
from sase.kernels.memory import lent
from sase.operators.coding import Coding
from sase.operators.interest import Interest
from sase.operators.scan import Scanner

Numbers = NDArray[np.int64]

NO_ROWS = np.zeros(0, np.int64)
FEW_TYPES = 2**16 - 1  # numpy sorts numbers of 16 bits without comparing them


class CodedBatch:
    """The events of a batch that somebody wants, in order: row i is row `rows[i]` of the batch."""

    def __init__(
        self, batch: Batch, interest: Interest, coding: Coding, positions: Numbers | None = None
    ) -> None:
        """`positions` are those of events that are taken in again."""
        self.batch, self.interest, self._coding = batch, interest, coding
        self._positions = positions
        self.types = batch.types()
        self.rows, self._marks = _concerned(*self.types, interest)
        self._columns: dict[str, Tagged] = {}
        self._numbers: dict[tuple[str, ...], Numbers] = {}
        self._selected: dict[int, Numbers] = {}
        self._of: dict[frozenset[int], Numbers] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def ts(self) -> Numbers:
        return self.batch.ts if self._whole else self.batch.ts[self.rows]

    @cached_property
    def places(self) -> Numbers:
        """What to add to the batch's position for that of each row."""
        return self.rows if self._positions is None else self._positions[self.rows]

    @property
    def _whole(self) -> bool:
        return len(self) == len(self.batch)

    def candidates(self, scanner: Scanner) -> tuple[Numbers, Numbers]:
        """The rows that a scanner's query may want, and what each may be to it."""
        if self.interest.sole:
            scanner.refine(self._marks, self)
            return counting(len(self)), self._marks
        lists = []
        for number, bit in self.interest.selections[scanner]:
            if len(rows := self._chosen(number)):
                lists.append((rows, bit))
        return _merged(lists)

    def _chosen(self, number: int) -> Numbers:
        """The rows of one selection, looked for when first asked for."""
        found = self._selected.get(number)
        if found is None:
            selection = self.interest.all_selections[number]
            rows = self._rows_of(selection.types)
            found = self._selected[number] = selection.scanner.select(selection.bit, rows, self)
        return found

    def column(self, name: str) -> Tagged:
        """An attribute of all rows whose type has a reader of it."""
        if name not in self._columns:
            self._columns[name] = self._coded(name)
        return self._columns[name]

    def numbers(self, names: tuple[str, ...]) -> Numbers:
        """The partitions by these attributes, of all rows whose type is partitioned by them; -1: in none."""
        if names not in self._numbers:
            self._numbers[names] = self._numbered(names)
        return self._numbers[names]

    def all_numbers(self, names: tuple[str, ...]) -> Numbers:
        """The same for the whole batch, also the events that nobody wants."""
        dictionary = self._coding.dictionary
        return self._coding.keys(names).number([self.batch.column(name, None, dictionary) for name in names])

    def wants(self, name: Any) -> bool:
        """Whether somebody wants events of this type."""
        return bool(self.interest.otherwise) or name in self.interest.wanted

    def everywhere(self, name: str, counting: NDArray[np.bool_]) -> Tagged:
        """An attribute of every row of the batch whose type counts, by its code; of the others anything."""
        dictionary = self._coding.dictionary
        if self.batch.is_at_hand(name):
            return self.batch.column(name, None, dictionary)
        rows = np.flatnonzero(counting[self.types[0]]) if len(self.batch) else NO_ROWS
        values, kinds = np.zeros(len(self.batch), np.int64), np.zeros(len(self.batch), np.uint8)
        values[rows], kinds[rows] = self.batch.column(name, rows, dictionary)
        return values, kinds

    def know_numbers(self, names: tuple[str, ...], numbers: Numbers) -> None:
        """The partitions by these attributes are numbered already."""
        self._numbers.setdefault(names, numbers[: len(self)])

    def source(self, rows: Numbers) -> Source:
        """These rows as they came."""
        if len(rows) == len(self):
            return Source(self.batch.taken(self.rows), self.ts, self.places)
        return Source(self.batch.taken(self.rows[rows]), self.ts[rows], self.places[rows])

    def _coded(self, name: str) -> Tagged:
        dictionary = self._coding.dictionary
        rows = self._where(self.interest.readers.get(name))
        if rows is None:
            return self.batch.column(name, None if self._whole else self.rows, dictionary)
        values, kinds = np.zeros(len(self), np.int64), np.zeros(len(self), np.uint8)
        values[rows], kinds[rows] = self.batch.column(name, self.rows[rows], dictionary)
        return values, kinds

    def _numbered(self, names: tuple[str, ...]) -> Numbers:
        if not names:
            return noughts(len(self))
        columns = [self.column(name) for name in names]
        rows = self._where(self.interest.keyed.get(names))
        if rows is None:
            return self._coding.keys(names).number(columns)
        numbers = np.full(len(self), -1)
        numbers[rows] = self._coding.keys(names).number([(v[rows], k[rows]) for v, k in columns])
        return numbers

    def _where(self, types: frozenset[int] | None) -> Numbers | None:
        """The rows of some types; None: all rows."""
        if self.interest.sole or types is None:
            return None
        return None if types >= self._present else self._rows_of(types)

    @cached_property
    def _by_type(self) -> tuple[Numbers, list[int]]:
        """The rows of one type after the other, and where those of each begin."""
        few = len(self.interest.wanted) <= FEW_TYPES
        marks = self._marks.astype(np.uint16) if few else self._marks
        counts = np.bincount(marks, minlength=len(self.interest.wanted) + 2)
        return np.argsort(marks, kind="stable"), [0, *np.cumsum(counts).tolist()]

    @cached_property
    def _present(self) -> frozenset[int]:
        starts = self._by_type[1]
        return frozenset(i for i in range(len(starts) - 1) if starts[i] < starts[i + 1])

    def _rows_of(self, types: frozenset[int]) -> Numbers:
        if types not in self._of:
            order, starts = self._by_type
            parts = [order[starts[i] : starts[i + 1]] for i in types & self._present]
            several = len(parts) > 1
            self._of[types] = np.sort(np.concatenate(parts)) if several else parts[0] if parts else NO_ROWS
        return self._of[types]


def _concerned(codes: NDArray[np.int32], names: list[Any], interest: Interest) -> tuple[Numbers, Numbers]:
    marks_of = (interest.wanted.get(name, interest.otherwise) for name in names)
    by_code = np.array(list(marks_of) or [0], np.int64)
    rows, marks = lent(len(codes), np.int64), lent(len(codes), np.int64)
    if len(names) == 1 and by_code[0]:
        marks.fill(by_code[0])
        return counting(len(codes)), marks
    count = candidates(codes, by_code, rows, marks) if by_code.any() else 0
    return rows[:count], marks[:count]


def _merged(lists: Sequence[tuple[Numbers, int]]) -> tuple[Numbers, Numbers]:
    """The rows of all lists in order, each with the bits of the lists it is in."""
    if len(lists) < 2:
        rows, bit = lists[0] if lists else (NO_ROWS, 0)
        return rows, np.full(len(rows), bit)
    places = np.array([(rows.ctypes.data, len(rows), bit, 0) for rows, bit in lists])
    size = int(places[:, SIZE].sum())
    rows, bits = lent(size, np.int64), lent(size, np.int64)
    count = merge(places, rows, bits)
    return rows[:count], bits[:count]
