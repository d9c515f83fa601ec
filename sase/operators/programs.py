"""Conditions as the tables that the kernels read: places become columns, constants values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sase.events.columns import from_objects
from sase.events.dictionary import Dictionary, Tagged
from sase.events.exact import Exact
from sase.kernels.cells import FIELDS, OPERAND, OPERATION, SECOND, VALUES
from sase.kernels.opcodes import AVG, CONST, LOAD, SCALAR
from sase.kernels.program import Program
from sase.kernels.values import MISSING
from sase.plan.bytecode import ByteCode, Operation

Table = NDArray[np.int64]
Scalars = tuple[tuple[int, int, str], ...]  # running values: component, kind, attribute

NO_RANKS = np.zeros(0, np.int64)


def table(rows: Sequence[Sequence[int]], width: int) -> Table:
    """Rows as an array that keeps its width when there are none."""
    return np.array(rows, np.int64).reshape(-1, width)


def ranges(checks: Iterable[range]) -> Table:
    """Ranges of checks, a row each."""
    return table([(own.start, own.stop) for own in checks], 2)


def bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def attribute_column(attribute: int) -> int:
    return VALUES + 2 * attribute


def scalar_column(slot: int) -> int:
    return FIELDS + 2 * slot


def register_column(slot: int, scalars: int) -> int:
    """Registers stand behind the running values."""
    return FIELDS + 2 * scalars + slot


class Programs:
    """A plan's conditions with the codes that strings have in a dictionary."""

    def __init__(
        self,
        scan: ByteCode,
        joins: ByteCode,
        scalars: Scalars,
        dictionary: Dictionary,
        sorts_strings: bool,
    ) -> None:
        self._dictionary, self._sorts_strings = dictionary, sorts_strings
        self._exact = Exact(dictionary)
        self._scan = self._assembled(scan, ())
        self._joins = self._assembled(joins, scalars)

    @property
    def scan(self) -> Program:
        self._rank()
        return self._scan

    @property
    def joins(self) -> Program:
        self._rank()
        return self._joins

    @property
    def clashes(self) -> int:
        """How often values met that cannot be compared or computed with."""
        return int(self._exact.clashes[0])

    @property
    def held(self) -> Iterator[Tagged]:
        """The constants."""
        for code in (self._scan.code, self._joins.code):
            constant = code[:, OPERATION] == CONST
            yield code[:, OPERAND], np.where(constant, code[:, SECOND], MISSING)

    def _rank(self) -> None:
        """Ranks change when the dictionary grows; as long as there is room they do so in their place."""
        if self._sorts_strings and (ranks := self._dictionary.ranks()) is not self._scan.rank:
            self._scan, self._joins = self._scan._replace(rank=ranks), self._joins._replace(rank=ranks)

    def _assembled(self, code: ByteCode, scalars: Scalars) -> Program:
        operations = [_placed(step, code, len(scalars), self._dictionary) for step in code.code]
        running = [
            (component, kind, attribute_column(code.attributes.index(name) if name else 0))
            for component, kind, name in scalars
        ]
        return Program(
            table(operations, 3),
            table([(*check, *_comparison(operations[check[0] : check[1]])) for check in code.checks], 11),
            NO_RANKS,
            table(running, 3),
            self._exact.address,
            self._exact.clashes,
        )


def _placed(operation: Operation, code: ByteCode, scalars: int, dictionary: Dictionary) -> Operation:
    op, a, b = operation
    match op:
        case _ if op == LOAD:
            return op, register_column(a, scalars) if a >= 0 else a, attribute_column(b)
        case _ if op == CONST:
            values, kinds = from_objects([code.constants[a]], dictionary)
            return op, int(values[0]), int(kinds[0])
        case _ if op == SCALAR:
            return op, _scalar(a), 0
        case _ if op == AVG:
            return op, _scalar(a), _scalar(b)
    return operation


def _comparison(code: Sequence[Operation]) -> tuple[int, int, int, int, int]:
    """What a check compares, if it is just two attributes; most are."""
    if len(code) != 3 or code[0][0] != LOAD or code[1][0] != LOAD:
        return -1, 0, 0, 0, 0
    (_, left, value), (_, right, other), (_, comparison, _) = code
    return comparison, left, value, right, other


def _scalar(slot: int) -> int:
    """Running values of a run stand in its row; those along a walk (below 0) are told by their sign."""
    return scalar_column(slot) if slot >= 0 else -scalar_column(-1 - slot)
