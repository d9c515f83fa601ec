"""What a kernel found in one push, before anybody looks at it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Graph:
    """The shared match buffer as it was: nodes with their alternatives, for results that are not expanded."""

    base: int
    event: NDArray[np.int64]
    part: NDArray[np.int64]
    previous: NDArray[np.int64]
    other: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Found:
    """Match i is path[ends[i-1]:ends[i]]: numbers of events in order, with the component of each.

    Without `parts` all matches have the same length and component j at place j. With `graph` a match stands
    for all that end on one event: path holds that event and the nodes in which they end.
    """

    count: int
    path: NDArray[np.int64]
    width: int = 0
    parts: NDArray[np.int8] | None = None
    ends: NDArray[np.int64] | None = None
    graph: Graph | None = None

    def span(self, i: int) -> slice:
        if self.ends is None:
            return slice(i * self.width, (i + 1) * self.width)
        return slice(int(self.ends[i - 1]) if i else 0, int(self.ends[i]))

    def firsts(self) -> NDArray[np.int64]:
        """The first event of every match."""
        return self.path[self._starts()]

    def lasts(self) -> NDArray[np.int64]:
        if self.ends is None:
            return self.path[self.width - 1 :: self.width]
        return self.path[self.ends - 1]

    def _starts(self) -> NDArray[np.int64]:
        if self.ends is None:
            return np.arange(0, self.count * self.width, self.width)
        return np.concatenate([[0], self.ends[:-1]])[: self.count].astype(np.int64)
