"""What a kernel found in one push, before anybody looks at it."""

from __future__ import annotations

from collections.abc import Sequence
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
    """Matches as numbers of events, one match after the other in `path`.

    With `width` all matches have that many events and component j at place j. Otherwise match i ends before
    ends[i], and each number is `event << 8 | component`. With `graph` a match stands for all that end on one
    event: path holds that event and the nodes in which they end.
    """

    count: int
    path: NDArray[np.int64]
    width: int
    ends: NDArray[np.int64] | None = None
    graph: Graph | None = None

    def numbers(self, i: int) -> list[int]:
        """What `path` holds of match i."""
        if self.ends is None:
            span = slice(i * self.width, (i + 1) * self.width)
        else:
            span = slice(int(self.ends[i - 1]) if i else 0, int(self.ends[i]))
        return self.path[span].tolist()  # type: ignore[no-any-return]

    def match(self, i: int) -> tuple[list[int], list[int]]:
        """The events of match i in order, and the component of each."""
        numbers = self.numbers(i)
        if self.width:
            return numbers, list(range(self.width))
        return [number >> 8 for number in numbers], [number & 255 for number in numbers]

    def events(self, chosen: Sequence[int]) -> NDArray[np.int64]:
        """The events of some matches, each once; none of a graph, which is read node by node."""
        if not len(chosen) or self.graph is not None:
            return np.zeros(0, np.int64)
        if self.ends is None:
            return np.unique(self.path.reshape(-1, self.width)[np.array(chosen)])
        return np.unique(np.concatenate([self.numbers(i) for i in chosen]).astype(np.int64) >> 8)

    def firsts(self) -> NDArray[np.int64]:
        """The first event of every match."""
        if self.ends is None:
            return self.path[:: self.width]
        starts = np.concatenate([[0], self.ends[:-1]])[: self.count].astype(np.int64)
        return self.path[starts] >> 8

    def lasts(self) -> NDArray[np.int64]:
        """The last event of every match."""
        if self.ends is None:
            return self.path[self.width - 1 :: self.width]
        return self.path[self.ends - 1] >> 8
