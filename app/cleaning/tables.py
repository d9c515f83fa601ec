"""The integer tables of the cleaning loop: what each column is, and the line that tells what happened."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sase.kernels.jit import drop_stale_code, part

Table = npt.NDArray[np.int64]
drop_stale_code(Path(__file__).parent)

# Columns of a tag's row: where it is and since when, then the two areas that claim it with most right.
# With one claim only, two readers that hear a tag by turns would keep each other from ever being believed.
AREA, STRENGTH, SEEN, SINCE, TOLD, READER, CLAIMS = range(7)
CLAIMANT, COUNT, CLAIM_SEEN, CLAIM_STRENGTH = range(4)
CLAIM_COLUMNS = 4
PASSED = CLAIMS + 2 * CLAIM_COLUMNS  # to which side of a door it has gone in this stay
TAG_COLUMNS = PASSED + 1
CLAIMANTS = [CLAIMS + CLAIMANT, CLAIMS + CLAIM_COLUMNS + CLAIMANT]
NOWHERE = -1

# Columns of a reader's row.
HEARD, UP_SINCE, ALIVE_TOLD = range(3)
READER_COLUMNS = 3

# Columns of a door's row: from which side somebody has come and when, how many are under way, how it ended.
FROM, BEGAN, UNDER_WAY, ENDED, ENDED_AT = range(5)
DOOR_COLUMNS = 5
NEITHER, INSIDE, OUTSIDE = range(3)

# Columns of an area's row of settings, all in milliseconds.
FORGET, CONFIRM_WITHIN, REFRESH = range(3)

# Columns of the output, and what happened.
WHAT, WHEN, TAG, WHERE, BY, DWELL, ORDER = range(7)  # DWELL of a reader's clock: how far it is ahead
OUTPUT_COLUMNS = 7
# DUE comes from the time of day and TOLD_LOAN from the catalog or the desk, not from this loop.
ARRIVED, STILL, LEFT, ALIVE, CLOCK, DUE, SCANNED, WENT_OUT, CAME_IN, TOLD_LOAN, GLIMPSED = range(11)

# What a row of the input is, and what stands for its tag where there is none.
READING, SCAN, MOTION, STATUS, OF_CLOCK, HELD = range(6)
NO_TAG = -1

# Cells of the clock; DOSES_TOLD belongs to the doses that are due, LOANS_TOLD to the catalog's loans.
LAST_TICK, DOSES_TOLD, EARLIEST, LOANS_TOLD, LAST_ROW, STARTED = range(6)
CLOCK_CELLS = 6
TICK_MS = 1000
STILL_NEAR_MS = 3000  # a gate that misses a tag for so long may have it in its field all the same
JUST_ENDED_MS = 1500  # a tag that the gate hears so late has gone through with the others
_LONG = 2**40
IN_TURN = _LONG  # the ORDER of what is told in the order in which it came about


class Floor(NamedTuple):
    """All that the loop knows. Strengths are in hundredths of a dBm."""

    tags: Table
    readers: Table
    doors: Table
    clock: Table
    reader_area: Table
    reader_side: Table
    areas: Table
    confirm: int
    margin: int
    alive_every: int
    passage: int
    out: Table
    sure: npt.NDArray[np.float64]  # beside `out`: how likely it is; not a number where it is certain
    written: Table  # one cell: lines of `out` in use


class Read(NamedTuple):
    ts: int
    reader: int
    tag: int
    area: int
    strength: int


@part
def tell(what: int, read: Read, dwell: int, floor: Floor) -> int:
    """One more line; its number."""
    number = floor.written[0]
    line = floor.out[number]
    floor.written[0] += 1
    floor.sure[number] = np.nan
    line[WHAT] = what
    line[WHEN] = read.ts
    line[TAG] = read.tag
    line[WHERE] = read.area
    line[BY] = read.reader
    line[DWELL] = dwell
    line[ORDER] = IN_TURN
    return int(number)
