"""The tables of whereabouts: what is believed of every tag, the rules of the place, what the readers say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.cleaning.tables import Table

Shares = NDArray[np.float32]
Rates = NDArray[np.float64]

# Columns of a tag's row. Times in milliseconds, but for DUE_AT and BELIEVED_AT: seconds.
LAST, LAST_READER, FIRST, HITS, POLLS, SETTLED, BELIEVED_AT, DUE_AT = range(8)
GATE_SEEN, GATE_READER, TRIP_AT, TRIP_AREA, TRIP_READS, APART, OUT_TOLD = range(8, 15)
# The last read of a till, how sure it was there, when that was told; who else a gate hears; an exit waits.
TILL_AT, TILL_READER, TILL_SURE, PAID_AT, COMPANY, EXIT_WAITS = range(15, 21)
# A read of a settled tag by another reader: counts if a second one comes before its own reader's.
STRAY_AT, STRAY_READER, STRAY_STRENGTH = range(21, 24)
KNOWN_COLUMNS = 24
UNSETTLED = -1

# States of an area: three phases, and in a slow one: hidden, then heard through each gate.
HIDDEN, THROUGH_GATE = 3, 4
# The last three states of all.
CARRIED, LOST, GONE = -3, -2, -1

WHEEL = 64  # slots of a second each
RING = 64  # visits of a gate that are remembered
LONGEST_STEP = 64  # seconds that pass at once
WEAKEST, STRENGTHS = -110, 100  # dBm of the first column of the table of strengths


class PlaceRules(NamedTuple):
    """What does not change. Tables by `seconds` have one row for every length of a step."""

    start: Table  # by area: its first state
    start_after: Table  # by area: that of the next one
    pace: Table  # by area: SLOW, MIDDLING, SHORT, WAY_OUT, PASSAGE
    gate: Table  # by area: the number of a way out, or -1
    heard: NDArray[np.uint8]  # by area: whether any reader of tags is there
    watched: NDArray[np.uint8]  # by area: whether it is seen who moves on either side of it
    gate_area: Table
    leaving: Shares  # by state, a second
    enter: Shares  # by state: of what arrives, how much
    slow: Shares  # (seconds, 2): has hidden, shows itself
    reads: Shares  # by area: reads in a period, where it does not depend on the tag
    passing: Shares  # by reader: reads a second of what is carried
    first: Shares  # what is believed of a tag that was never heard
    strength: Shares  # by dBm: own over overheard
    period: Table  # by reader
    signs: NDArray[np.uint8]  # by reader: whether it says that it is there while it reads nothing
    product: Table  # by tag: what lies and is carried together
    person: NDArray[np.uint8]  # by tag: whether somebody wears it
    settled: float  # so sure of a slow area, another read there says nothing new
    sure: float  # from here on a place is told
    paid: float  # the same of a SHORT area
    out: float  # the same of a way out
    out_late: float  # the same some seconds after the last read of a gate
    out_blind: float  # the same while the reader is down that could speak against it
    wait: int  # milliseconds after the last read of a gate


class Learned(NamedTuple):
    """What the log teaches; all of it counts and times, so that order does not matter."""

    strays: Rates  # (readers, areas)
    exposed: Rates  # by area: seconds that settled tags lay there
    round_trips: Rates  # (areas, gates)
    longest: Rates  # by reader: about the longest time between two signs of life, milliseconds
    settled: Table  # by area: tags that lie there now
    alone: Rates  # (gates, 2): round trips of a tag alone, and all


class Senses(NamedTuple):
    """What the readers can hear in this second."""

    alive: NDArray[np.uint8]  # by reader
    pace: Shares  # by area: polls a second
    overheard: Shares  # by area: reads a second by the readers of other areas
    carried: Shares  # one cell: reads a second of what is carried
    heard: Shares  # (readers, areas): strays a second
    bursts: Shares  # by gate, for the tag at hand
    chances: Shares  # by area, for the tag at hand


class Whereabouts(NamedTuple):
    known: Table
    belief: Shares  # (tags, states)
    given: Shares  # the same if all that was told is true, where APART
    trips: NDArray[np.uint8]  # (tags, gates)
    visits: Table  # (gates, 1 + 3 * RING): how many, then when, whence and which product
    links: NDArray[np.int32]  # (2, tags + WHEEL): next and previous of the same slot
    rules: PlaceRules
    learned: Learned
    senses: Senses
