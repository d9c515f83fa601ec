"""Follows every case through the states of its constraints: one look for its number and one into a table of
states per event, in one pass over a batch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.borrowed import borrowed
from sase.kernels.jit import inlined, kernel, part
from sase.kernels.keys import EMPTY, FULL, is_near, number_of, prefetch

CASE_STATE, SEEN_AT, UNBROKEN, BROKE_AT = range(4)
"""A case: its state, when its last event came, of one that has broken a constraint its last state before, and
the position of the event that broke one (UNBROKEN_YET: none has)."""
CASE_WIDTH = 4
UNBROKEN_YET = 2**62

NOBODYS = -1  # instead of a step: nobody wants to know of the event
ASKED_ABOUT = 1  # bit of a step: verdicts on its events are wanted
STEP_FROM = 1  # so many bits are before the step itself

FOLLOWED, OUT_OF_NUMBERS, NEW_CASE, NEW_STEP, BREAKS = range(5)
"""Why `follow` comes back: at the end; the table of numbers is too full, or that of cases too short; the step
is not worked out yet; it breaks a constraint, or changes a case that has: such steps are rare, and there is
something to tell."""

UNKNOWN, BREAKING, STAYS_BROKEN = -1, -2, -3
"""Instead of the state after a step: nobody has asked for it yet; another state that has broken a constraint;
the same state, which has."""

AHEAD = 8
CASES_AT_ONCE = 1024  # rows whose numbers are looked up before the first of their cases is stepped

BROKEN = -1  # instead of the state after an event: its case has broken a constraint

HEEDED, BREACHED = 1 << 40, 1 << 41
"""Beside the state after a step: some query can make less of such an event than of others of its type; and of
a batch, that an event is of a case that has broken a constraint."""
STATE_MASK = HEEDED - 1


class CaseStream(NamedTuple):
    """A batch as constraints see it."""

    codes: NDArray[np.int32]  # of types
    steps: NDArray[np.int64]  # per type a column of the table of states, beside ASKED_ABOUT; or NOBODYS
    values: NDArray[np.int64]  # by which cases are told apart, or their numbers
    kinds: NDArray[np.uint8]
    numbered: bool
    clocks: NDArray[np.int64]
    chances: NDArray[np.float64]  # empty: all events have happened


class CaseVerdicts(NamedTuple):
    """Per wanted event of a batch, and one more: the case's number (-1: it is of none), its last unbroken
    state before the event and its state after it; where that is BROKEN, since which position it is."""

    cases: NDArray[np.int64]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    broke_at: NDArray[np.int64]
    heeded: NDArray[np.int64]  # one cell: HEEDED and BREACHED, if any of the batch's events is


class Steps(NamedTuple):
    """The states of cases: `following[state, step]`, or why that is none."""

    following: NDArray[np.int64]
    types: int  # so many columns further are the steps of events that may not have happened


class FollowWork(NamedTuple):
    """Of one block: its rows that count, the numbers of their cases, and which of them are not known yet."""

    rows: NDArray[np.int64]
    cases: NDArray[np.int64]
    unknown: NDArray[np.int64]


@kernel
def follow(first, at, stream, table, memory, states, cases, said, work):
    """Step the cases of a batch's events from row `first` on, the first of which is wanted as number `at`.

    Returns the first row that is not done, its number and why. Numbers are looked up for a block of rows
    before a case is stepped: so the waits for the one memory overlap, and then those for the other.
    """
    return follow_on(
        first,
        at,
        borrowed(stream),
        borrowed(table),
        memory,
        borrowed(states),
        borrowed(cases),
        borrowed(said),
        borrowed(work),
    )


@part
def follow_on(first, at, stream, table, memory, states, cases, said, work):
    size = stream.codes.size
    while first < size:
        last = min(first + CASES_AT_ONCE, size)
        count = counting_rows(first, last, stream, work.rows)
        numbered = number_rows(count, stream, table, work)
        done, at, why = step_rows(numbered, at, stream, memory, states, cases, said, work)
        if why != FOLLOWED:
            return work.rows[done], at, why
        if numbered < count:
            return work.rows[numbered], at, OUT_OF_NUMBERS
        first = last
    return size, at, FOLLOWED


@inlined
def counting_rows(first, last, stream, rows):
    count = 0
    for i in range(first, last):
        rows[count] = i
        count += stream.steps[stream.codes[i]] != NOBODYS
    return count


@inlined
def number_rows(count, stream, table, work):
    """The case of each row that counts; how many have one before the table is too full."""
    if stream.numbered:
        for n in range(count):
            work.cases[n] = stream.values[work.rows[n]]
        return count
    unknown = look_up(count, stream, table, work)
    for i in range(unknown):
        if i + AHEAD < unknown:
            row = work.rows[work.unknown[i + AHEAD]]
            prefetch(np.int64(stream.kinds[row]), stream.values[row], table)
        n = work.unknown[i]
        row = work.rows[n]
        kind, value = np.int64(stream.kinds[row]), stream.values[row]
        near = is_near(kind, value, table)
        number = np.int64(table.near[value]) if near else np.int64(EMPTY)  # it may have come in this block
        if number == EMPTY:
            number = number_of(kind, value, table)
            if number == FULL:
                return n
            if near:
                table.near[value] = number
        work.cases[n] = number
    return count


@inlined
def look_up(count, stream, table, work):
    """The numbers that need no hash; how many others there are. In a pass of its own: so many memory accesses
    are on their way at a time, and the slots of the others can be fetched before they are looked at."""
    unknown = 0
    for n in range(count):
        row = work.rows[n]
        kind, value = np.int64(stream.kinds[row]), stream.values[row]
        number = np.int64(table.near[value]) if is_near(kind, value, table) else np.int64(EMPTY)
        work.cases[n] = number
        work.unknown[unknown] = n
        unknown += number == EMPTY
    return unknown


@inlined
def step_rows(count, at, stream, memory, states, cases, said, work):
    beside, doubts, known = 2 * states.types, stream.chances.size > 0, np.uint64(cases.shape[0])
    heeded = said.heeded[0]
    for n in range(count):
        case, row = work.cases[n], work.rows[n]
        step = stream.steps[stream.codes[row]]
        wanted = step & ASKED_ABOUT
        step >>= STEP_FROM
        said.cases[at] = case
        if np.uint64(case) >= known:
            if case >= 0:
                said.heeded[0] = heeded
                return n, at, NEW_CASE
            heeded |= HEEDED
            said.before[at] = 0
            said.after[at] = 0
            at += wanted
            continue
        own, clock = cases[case], stream.clocks[row]
        if clock - own[SEEN_AT] >= memory:
            renew(own)
        if doubts and step < beside and stream.chances[row] < 1:
            step += states.types
        state = own[CASE_STATE]
        new = states.following[state, step]
        if new >= 0:
            heeded |= new
            own[CASE_STATE] = new & STATE_MASK
            said.before[at] = state
            said.after[at] = new & STATE_MASK
        elif new == STAYS_BROKEN:
            heeded |= HEEDED | BREACHED
            said.before[at] = own[UNBROKEN]
            said.after[at] = BROKEN
            said.broke_at[at] = own[BROKE_AT]
        else:
            said.heeded[0] = heeded
            return n, at, NEW_STEP if new == UNKNOWN else BREAKS
        if step <= beside:
            own[SEEN_AT] = clock
        at += wanted
    said.heeded[0] = heeded
    return count, at, FOLLOWED


@inlined
def renew(own):
    """The case is a new one."""
    own[CASE_STATE] = 0
    own[BROKE_AT] = UNBROKEN_YET
