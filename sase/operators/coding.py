"""What the queries that read one stream share: the codes of strings and the numbers of partitions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sase.events.columns import from_objects
from sase.events.dictionary import Dictionary, Tagged
from sase.kernels.keys import KeyTable

MANY_KEYS = 1 << 20
FREE = 1 << 14  # entries of the dictionary that nobody need hold


class CodeReader(Protocol):
    @property
    def live_events(self) -> int: ...
    @property
    def live_cases(self) -> int:
        """How many cases are remembered."""
        ...

    @property
    def held(self) -> Iterable[Tagged]:
        """Where codes may be: to be changed in place."""
        ...

    @property
    def most_held(self) -> int:
        """No more codes than this are there."""
        ...


class Coding:
    """Remembers the codes and numbers that it has given."""

    def __init__(self) -> None:
        self.dictionary = Dictionary()
        self.changes = 0  # how often engines have come that read by it
        self._tables: dict[tuple[str, ...], KeyTable] = {}
        self._enough = FREE  # entries of the dictionary before it is worth looking who holds them

    def keys(self, names: tuple[str, ...]) -> KeyTable:
        """The numbers of the partitions by these attributes."""
        if names not in self._tables:
            self._tables[names] = KeyTable(len(names))
        return self._tables[names]

    def values_of(self, names: tuple[str, ...], numbers: NDArray[np.int64]) -> tuple[tuple[Any, ...], ...]:
        """The values of these attributes that some partitions by them have."""
        columns = self.keys(names).columns() if len(numbers) else []
        return tuple(
            zip(*(self.dictionary.values((v[numbers], k[numbers])) for v, k in columns), strict=True)
        )

    def number_values(self, names: tuple[str, ...], values: Sequence[tuple[Any, ...]]) -> NDArray[np.int64]:
        """The partitions that have these values."""
        columns = [from_objects(column, self.dictionary) for column in zip(*values, strict=True)]
        return self.keys(names).number(columns)

    def crowded(self, readers: Iterable[CodeReader]) -> bool:
        """Whether most keys ever seen belong to none of the events alive: time to start over with theirs."""
        seen = max(map(len, self._tables.values()), default=0)
        return seen > MANY_KEYS and seen > 8 * sum(
            reader.live_events + reader.live_cases for reader in readers
        )

    def tidy(self, readers: Collection[CodeReader]) -> None:
        """Forget what no event, running value or key is any more, once that is most of the dictionary."""
        if len(self.dictionary) < self._enough:
            return
        tables = self._tables.values()
        most = sum(reader.most_held for reader in readers) + sum(table.size for table in tables)
        self._enough = FREE + 2 * most
        if len(self.dictionary) >= self._enough:
            read = (column for reader in readers for column in reader.held)
            self.dictionary.renew(chain(read, *(table.held for table in tables)))
            for table in tables:
                table.rehash()
