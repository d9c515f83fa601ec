"""What is left of an engine when it is stopped: the events of its window, enough to rebuild it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sase.constraints.obeying import CaseState
from sase.events.table import RawEvents


@dataclass(frozen=True, slots=True)
class Kept:
    """Events of the window with what cannot be seen in them."""

    source: RawEvents
    positions: NDArray[np.int64]
    orders: NDArray[np.int64]
    spent: NDArray[np.bool_]  # used up by NON-OVERLAP: it can only rule out
    places: NDArray[np.int64]  # how far its partition has been counted, for contiguity
    verdicts: NDArray[np.int64] | None = None  # what constraints left of it: before, after, what it may be
    said: tuple[tuple[CaseState, ...], ...] = ()  # the states of cases that these verdicts are about
