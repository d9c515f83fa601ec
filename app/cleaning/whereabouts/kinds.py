"""How things behave in each kind of area before anything is learned: how long they stay, how often read."""

from __future__ import annotations

from dataclasses import dataclass

SLOW, MIDDLING, SHORT, WAY_OUT, PASSAGE = range(5)
PHASES = 3


@dataclass(frozen=True, slots=True)
class KindModel:
    """Three phases of a stay: how fast one leaves each, and in which a stay begins.

    In a SHORT area and a WAY_OUT the second phase is a stay in the shadow of a body. A PASSAGE is told as it
    is read: nothing is believed to be there. `weight` is how often one goes there of all ways, shared by the
    areas of the kind; `reads` is the reads in a reader's period.
    """

    pace: int
    leaving: tuple[float, float, float]  # a second
    begins: tuple[float, float, float]
    weight: float
    reads: float = 0.0  # of the kinds where it does not depend on the tag


# Set by hand once, for a shop; what can be learned of a place is in `learning.py`.
MODELS = {
    "shelf": KindModel(SLOW, (1 / 6, 1 / 60, 1 / 54_000), (0.35, 0.45, 0.20), 0.5),
    "fitting": KindModel(MIDDLING, (1 / 20, 1 / 200, 1 / 1800), (0.05, 0.94, 0.01), 0.12),
    "stock": KindModel(SLOW, (1 / 10, 1 / 60, 1 / 54_000), (0.1, 0.2, 0.7), 0.005),
    "counter": KindModel(SHORT, (1 / 15, 1 / 15, 1 / 600), (0.97, 0.02, 0.01), 0.2, 1.1),
    "returns": KindModel(SHORT, (1 / 15, 1 / 15, 1 / 3600), (0.6, 0.01, 0.39), 0.1, 1.1),
    "reading": KindModel(MIDDLING, (1 / 60, 1 / 600, 1 / 3600), (0.1, 0.8, 0.1), 0.1),
    "exit": KindModel(WAY_OUT, (1 / 4.5, 1 / 4.5, 1 / 600), (0.93, 0.06, 0.01), 0.175, 0.75),
    "door": KindModel(PASSAGE, (1.0, 1.0, 1.0), (1.0, 0.0, 0.0), 0.0, 1.0),
}

SHADE = 0.1  # of the reads that come through a body
OUT = 0.97  # of those who leave an exit, who do not come back through it
HIDING, SHOWING = 0.15 / 3600, 1 / 240  # a second
BURST_END, BURST_RATE = 1 / 2.5, 2.2  # a second: of a burst's end, and of its reads
ARRIVING, LOSING, RETURNING = 1 / 10, 1 / 3000, 1e-6  # a second: of what is carried, lost or out
GHOST = 1e-5  # reads a second of a tag that cannot be heard
STRAY = 0.05  # of a tag's polls, by a reader whose field overlaps
FAR_STRAY = 2e-5  # a second, by any other
IN_PASSING = 0.0125  # reads a second of what is carried, by a reader of things that lie
AT_TILL = 0.001  # the same, by the readers of tills and gates
