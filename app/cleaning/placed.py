"""Where each tag is at a place of the log, however cleaning follows it: as shares that sum to one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.cleaning.tables import AREA, NOWHERE, READER, SEEN, SINCE, Floor, Table

Shares = NDArray[np.float32]
UNDERWAY, UNHEARD, LEFT_THE_PLACE = range(3)  # columns behind those of the areas
ELSEWHERE = 3


@dataclass(frozen=True, slots=True)
class Placed:
    """Rows are those of the catalog; a tag that was never heard has nothing but zeros."""

    chances: Shares  # (tags, areas + ELSEWHERE)
    area: Table  # the last that was told, or NOWHERE
    since: Table  # when it came there
    seen: Table  # when it was last read, and by which reader
    reader: Table


def placed(floor: Floor, believed: Shares | None, ways_out: Table) -> Placed:
    """`believed`: what is believed of every tag, where that is kept; else it is where it was last told."""
    tags = floor.tags
    chances = _told(floor, ways_out) if believed is None else believed
    columns = (tags[:, column].copy() for column in (AREA, SINCE, SEEN, READER))
    return Placed(chances, *columns)


def _told(floor: Floor, ways_out: Table) -> Shares:
    """Certain; what is heard nowhere any more is out if a way out has heard it last, else lost."""
    areas, tags = len(floor.areas), floor.tags
    heard = np.flatnonzero(tags[:, SEEN] > 0)
    left = np.isin(floor.reader_area[tags[heard, READER]], ways_out)
    column = np.where(left, areas + LEFT_THE_PLACE, areas + UNHEARD)
    there = tags[heard, AREA] != NOWHERE
    column[there] = tags[heard, AREA][there]
    chances = np.zeros((len(tags), areas + ELSEWHERE), np.float32)
    chances[heard, column] = 1.0
    return chances
