"""Stays that were kept without whereabouts are taken over: what they know, whereabouts believe."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.cleaning.tables import (
    AREA,
    LAST_ROW,
    LAST_TICK,
    NOWHERE,
    OUTSIDE,
    PASSED,
    READER,
    SEEN,
    SINCE,
    STARTED,
    TICK_MS,
    Floor,
    Table,
)
from app.cleaning.whereabouts.kinds import OUT, PASSAGE, PHASES, SHORT, WAY_OUT
from app.cleaning.whereabouts.tables import (
    BELIEVED_AT,
    CARRIED,
    DUE_AT,
    FIRST,
    GONE,
    LAST,
    LAST_READER,
    OUT_TOLD,
    PAID_AT,
    Shares,
    Whereabouts,
)


def adopt(tags: NDArray[np.bool_], floor: Floor, here: Whereabouts) -> None:
    """What lies somewhere was there when it was last read; what has happened since, the passing of time says.
    An exit that was told is not told again."""
    known, rules = here.known, here.rules
    if floor.clock[LAST_ROW] == 0:
        # The seconds since then pass one by one, or no reader would be listened to.
        floor.clock[LAST_ROW] = floor.clock[LAST_TICK]
        floor.clock[STARTED] = floor.clock[LAST_TICK] // TICK_MS
    rows = np.flatnonzero(tags & (floor.tags[:, SEEN] > 0))
    stays = floor.tags[rows]
    area, seen = stays[:, AREA], stays[:, SEEN]
    lies = (area != NOWHERE) & (rules.pace[area] != PASSAGE)
    last_pace = rules.pace[floor.reader_area[stays[:, READER]]]
    out = ~lies & ((last_pace == WAY_OUT) | (stays[:, PASSED] == OUTSIDE))
    known[rows, FIRST] = np.minimum(stays[:, SINCE], seen - 1)  # it was confirmed: read more than once
    known[rows, LAST], known[rows, LAST_READER] = seen, stays[:, READER]
    known[rows, BELIEVED_AT] = seen // TICK_MS
    known[rows, DUE_AT] = seen // TICK_MS + 1
    known[rows, OUT_TOLD] = last_pace == WAY_OUT
    known[rows, PAID_AT] = np.where(last_pace == SHORT, stays[:, SINCE], 0)
    here.belief[rows] = 0.0
    here.belief[rows, CARRIED] = np.where(lies, 0.0, np.where(out, 1.0 - OUT, 1.0))
    here.belief[rows, GONE] = np.where(out, OUT, 0.0)
    phases = _phases(area[lies], (seen - stays[:, SINCE])[lies] / TICK_MS, here)
    states = rules.start[area[lies], None] + np.arange(PHASES)
    here.belief[rows[lies, None], states] = phases


def _phases(area: Table, seconds: NDArray[np.float64], here: Whereabouts) -> Shares:
    """In which phase of its stay something is that has been there for so long: the quick ones have ended."""
    states = here.rules.start[area, None] + np.arange(PHASES)
    ended = here.rules.leaving[states] * seconds[:, None]
    left = here.rules.enter[states] * np.exp(-(ended - ended.min(axis=1, keepdims=True)))
    shares: Shares = (left / left.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares
