"""What a kernel found in one push, before anybody looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import COMPONENT_BITS, COMPONENTS, LAST
from sase.kernels.likelihood import NOT_HAPPENED


@dataclass(frozen=True, slots=True)
class Graph:
    """The shared match buffer as it was: nodes with their alternatives, for results that are not expanded."""

    base: int
    event: NDArray[np.int64]
    component: NDArray[np.int64]
    previous: NDArray[np.int64]
    other: NDArray[np.int64]
    window: int  # ways that last longer are none
    counts_events: bool


@dataclass(frozen=True, slots=True)
class Found:
    """Matches as steps in `path`, each `event << 8 | component`.

    With `width` one match comes after the other and all have that many steps. Otherwise match i is
    path[begin:stop] and then `last`, its row of `spans`: matches of one run begin alike, and what they share
    is there once. With `graph` a match stands for all that end on one event: path[begin:stop] is that event
    and the nodes in which they end.

    `detected` tells when each match was known (None: when its last event came), `probability` how likely it
    is (None: as likely as its events together). With a probability a step may also stand for an event that
    must not have happened.
    """

    count: int
    path: NDArray[np.int64]
    width: int
    spans: NDArray[np.int64] | None = None
    graph: Graph | None = None
    detected: NDArray[np.int64] | None = None
    probability: NDArray[np.float64] | None = None

    def numbers(self, i: int) -> list[int]:
        """What `path` and `spans` hold of match i."""
        if self.spans is None:
            return self.path[i * self.width : (i + 1) * self.width].tolist()  # type: ignore[no-any-return]
        begin, stop, last = self.spans[i].tolist()
        found: list[int] = self.path[begin:stop].tolist()
        return found if self.graph is not None else [*found, last]

    def match(self, i: int) -> tuple[list[int], list[int]]:
        """The events of match i in order, and the component of each."""
        numbers = self.numbers(i)
        if self.probability is not None:
            numbers = [number for number in numbers if number & COMPONENTS != NOT_HAPPENED]
        return [number >> COMPONENT_BITS for number in numbers], [number & COMPONENTS for number in numbers]

    def prevented_by(self, i: int) -> list[int]:
        """The events that must not have happened for match i to be there."""
        return [number >> COMPONENT_BITS for number in self.numbers(i) if number & COMPONENTS == NOT_HAPPENED]

    def events(self, chosen: Sequence[int]) -> NDArray[np.int64]:
        """The events of some matches, each once; none of a graph, which is read node by node."""
        if not len(chosen) or self.graph is not None:
            return np.zeros(0, np.int64)
        if self.spans is None:
            return np.unique(self.path.reshape(-1, self.width)[np.array(chosen)] >> COMPONENT_BITS)
        return np.unique(np.concatenate([self.numbers(i) for i in chosen]).astype(np.int64) >> COMPONENT_BITS)

    def lasts(self) -> NDArray[np.int64]:
        """The last event of every match."""
        if self.spans is None:
            return self.path[self.width - 1 :: self.width] >> COMPONENT_BITS
        lasts: NDArray[np.int64] = self.spans[:, LAST] >> COMPONENT_BITS
        return lasts
