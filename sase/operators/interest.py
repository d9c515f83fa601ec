"""What several queries want of the same events: each type, attribute, partition and test once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sase.operators.scan import Scanner

Types = frozenset[int]


@dataclass(frozen=True, slots=True)
class Selection:
    """The events that one or more queries want for the same reason."""

    types: Types
    scanner: Scanner  # that of the first query that wants them
    bit: int


class Interest:
    """Types are marked with numbers from 1 on; those of a sole query with what their events may be to it."""

    def __init__(self, scanners: Sequence[Scanner]) -> None:
        self.sole = len(scanners) == 1
        self.wanted: Mapping[str, int] = scanners[0].wanted if self.sole else _marked(scanners)
        # What events of all other types are marked with: where contiguity is in doubt, they matter too.
        heeds = any(scanner.otherwise for scanner in scanners)
        self.otherwise = (scanners[0].otherwise if self.sole else len(self.wanted) + 1) if heeds else 0
        self.readers: dict[str, Types] = {}  # per attribute the types of the queries that read it
        self.keyed: dict[tuple[str, ...], Types] = {}  # the same per partition
        self.all_selections: list[Selection] = []
        self.selections: dict[Scanner, tuple[tuple[int, int], ...]] = {}  # their numbers, and bits
        known: dict[tuple[Any, ...], int] = {}
        for scanner in () if self.sole else scanners:
            self._note(scanner)
            self.selections[scanner] = tuple(self._selected(scanner, known))

    def _note(self, scanner: Scanner) -> None:
        types = self._marks(scanner.wanted)
        if scanner.otherwise:
            types = frozenset(range(1, self.otherwise + 1))
        by = scanner.plan.partitioning
        for name in scanner.reads:
            self.readers[name] = self.readers.get(name, frozenset()) | types
        for names in {by.keys, by.groups, *scanner.plan.cases}:
            self.keyed[names] = self.keyed.get(names, frozenset()) | types

    def _selected(self, scanner: Scanner, known: dict[tuple[Any, ...], int]) -> Iterable[tuple[int, int]]:
        for candidate in scanner.plan.candidates:
            meaning = scanner.plan.meaning(candidate)
            if meaning not in known:
                known[meaning] = len(self.all_selections)
                types = self._marks(candidate.types)
                self.all_selections.append(Selection(types, scanner, candidate.bit))
            yield known[meaning], 1 << candidate.bit

    def _marks(self, types: Iterable[str]) -> Types:
        return frozenset(self.wanted[name] for name in types)


def _marked(scanners: Sequence[Scanner]) -> dict[str, int]:
    names = dict.fromkeys(name for scanner in scanners for name in scanner.wanted)
    return {name: mark for mark, name in enumerate(names, 1)}
