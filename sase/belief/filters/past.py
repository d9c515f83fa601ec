"""What the fast filter keeps of the past: blocks of sightings as they came, and single entries."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sase.belief.filters import snapshot
from sase.belief.filters.intake import Entry, Sign
from sase.belief.filters.snapshot import Parts
from sase.belief.sightings.reading import Sighting

Block = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]  # times, sensors, entities


class Past:
    def __init__(self, length: int | None) -> None:
        self._length = length
        self._items: deque[Block | Entry] = deque()

    @property
    def first(self) -> int | None:
        return _span(self._items[0])[0] if self._items else None

    def add(self, seen: Block | Entry) -> Iterator[Block | Entry]:
        """Keep it; what comes out is older than what is kept."""
        self._items.append(seen)
        assert self._length is not None
        before = _span(seen)[1] - self._length
        while self._items and _span(self._items[0])[1] < before:
            yield self._items.popleft()

    def of(self, entity: int, name: str, sensors: Sequence[str]) -> list[Entry]:
        """All that concerns one entity alone: its sightings, and what sensors were said to work."""
        found: list[Entry] = []
        for item in self._items:
            if isinstance(item, tuple):
                ts, by, whom = item
                at = np.flatnonzero(whom == entity)
                found += [Sighting(int(ts[i]), sensors[by[i]], {name: 1.0}, None, 1.0) for i in at]
            elif isinstance(item, Sign) or (item.who is not None and list(item.who) == [name]):
                found.append(item)
        return found

    def parts(self) -> Parts:
        facts = [None if isinstance(item, tuple) else snapshot.entry_facts(item) for item in self._items]
        blocks = {f"{i}": np.stack(item) for i, item in enumerate(self._items) if isinstance(item, tuple)}
        return {"items": facts}, blocks

    def restore(self, parts: Parts) -> None:
        facts, blocks = parts
        self._items = deque(
            tuple(blocks[f"{i}"]) if item is None else snapshot.entry_of(item)
            for i, item in enumerate(facts["items"])
        )


def _span(item: Block | Entry) -> tuple[int, int]:
    return (int(item[0][0]), int(item[0][-1])) if isinstance(item, tuple) else (item.ts, item.ts)
