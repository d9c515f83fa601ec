"""What the queries that read one stream share: the codes of strings and the numbers of partitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from sase.events.dictionary import Dictionary
from sase.kernels.keys import KeyTable

MANY_KEYS = 1 << 20


class Reader(Protocol):
    @property
    def live_events(self) -> int: ...


class Coding:
    """Remembers the codes and numbers that it has given."""

    def __init__(self) -> None:
        self.dictionary = Dictionary()
        self.changes = 0  # how often engines have come that read by it
        self._tables: dict[tuple[str, ...], KeyTable] = {}

    def keys(self, names: tuple[str, ...]) -> KeyTable:
        """The numbers of the partitions by these attributes."""
        if names not in self._tables:
            self._tables[names] = KeyTable(len(names))
        return self._tables[names]

    def crowded(self, readers: Iterable[Reader]) -> bool:
        """Whether most keys ever seen belong to none of the events alive: time to start over with theirs."""
        seen = max(map(len, self._tables.values()), default=0)
        return seen > MANY_KEYS and seen > 8 * sum(reader.live_events for reader in readers)
