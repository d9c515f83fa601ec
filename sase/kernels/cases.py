"""Follows every case through the states of its constraints: one look for its number and one into a table of
states per event, in one pass over a batch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import CASE_OF, KEY, VERDICT_AFTER, VERDICT_BEFORE
from sase.kernels.jit import inlined, kernel, part
from sase.kernels.keys import AHEAD, CACHED, FULL, number_of, prefetch

CASE_STATE, SEEN_AT, UNBROKEN, BROKE_AT = range(4)
"""A case: its state, when its last event came, its last state before it broke a constraint, and the position
of the event that broke one (UNBROKEN_YET: none has)."""
CASE_WIDTH = 4
UNBROKEN_YET = 2**62

BESIDE, IGNORED, NOBODYS = -1, -2, -3
"""Instead of a step: the event is one of the case, but no constraint speaks of it; or it does not count, only
somebody wants to know how the case stands; or nobody does."""

FOLLOWED, OUT_OF_NUMBERS, NEW_CASE, NEW_STEP, BREAKS = range(5)
"""Why `follow` comes back: at the end; the table of numbers is too full, or that of cases too short; the step
is not worked out yet; it breaks a constraint, or changes a case that has: such steps are rare, and there is
something to tell."""

BROKEN = -1  # instead of the state after an event: its case has broken a constraint


class CaseStream(NamedTuple):
    """A batch as constraints see it."""

    codes: NDArray[np.int32]  # of types
    steps: NDArray[np.int64]  # per type a column of the table of states; or BESIDE, IGNORED, NOBODYS
    wanted: NDArray[np.int64]  # the rows of which verdicts are wanted, none of them NOBODYS
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


class Steps(NamedTuple):
    """The states of cases: `following[state, step]`, and which have broken a constraint."""

    following: NDArray[np.int64]
    broken: NDArray[np.bool_]
    types: int  # so many columns further are the steps of events that may not have happened


@kernel
def follow(first, stream, table, memory, states, cases, said, chosen):
    """Step the cases of a batch's events from row `first` on; the first row that is not done, and why.

    `chosen` has room for all rows: where it was found out before which of them count, nobody need guess.
    """
    return follow_on(first, stream, table, memory, states, cases, said, chosen)


@part
def follow_on(first, stream, table, memory, states, cases, said, chosen):
    count = counting_rows(first, stream, chosen)
    at = np.searchsorted(stream.wanted, first)
    scattered = table.slots.shape[0] > CACHED and not stream.numbered
    for n in range(count):
        if scattered and n + AHEAD < count:
            ahead = chosen[n + AHEAD]
            prefetch(np.int64(stream.kinds[ahead]), stream.values[ahead], table)
        i = chosen[n]
        case = stream.values[i]
        if not stream.numbered:
            case = number_of(np.int64(stream.kinds[i]), case, table)
            if case == FULL:
                return i, OUT_OF_NUMBERS
        said.cases[at] = case
        if case < 0:
            said.before[at] = said.after[at] = 0
            at += at < stream.wanted.size and stream.wanted[at] == i
            continue
        if case >= cases.shape[0]:
            return i, NEW_CASE
        clock = stream.clocks[i]
        if clock - cases[case, SEEN_AT] >= memory:
            renew(case, cases)
        state = cases[case, CASE_STATE]
        step = stream.steps[stream.codes[i]]
        if step >= 0:
            if stream.chances.size and stream.chances[i] < 1:
                step += states.types
            new = states.following[state, step]
            if new < 0:
                return i, NEW_STEP
            if states.broken[new] and new != state:
                return i, BREAKS
            cases[case, CASE_STATE] = new
            state = new
        if step >= BESIDE:
            cases[case, SEEN_AT] = clock
        said.before[at] = cases[case, UNBROKEN]
        if cases[case, BROKE_AT] == UNBROKEN_YET:
            cases[case, UNBROKEN] = state
            said.after[at] = state
        else:
            said.after[at] = BROKEN
            said.broke_at[at] = cases[case, BROKE_AT]
        at += at < stream.wanted.size and stream.wanted[at] == i
    return stream.codes.size, FOLLOWED


@inlined
def counting_rows(first, stream, chosen):
    count = 0
    for i in range(first, stream.codes.size):
        chosen[count] = i
        count += stream.steps[stream.codes[i]] != NOBODYS
    return count


@inlined
def renew(case, cases):
    """It is a new one."""
    cases[case, CASE_STATE] = cases[case, UNBROKEN] = 0
    cases[case, BROKE_AT] = UNBROKEN_YET


class Outlook(NamedTuple):
    """What the states of cases mean to a query."""

    verdict_of: NDArray[np.int64]  # per state
    usable: NDArray[np.int64]  # (verdict, 2): bits of which there is something to go on from, that lead on
    settled: NDArray[np.uint8]  # per verdict: nothing can come that would rule out at the end
    over: NDArray[np.bool_]  # per verdict: no event so far is of any use
    completing: int  # bits with which a match may complete; 0: nothing is known before its time


@kernel
def judge(rows, bits, said, outlook, cases, completes, batch, settles):
    """Clear the bits of what events can be to no partial match; note which rows settle a case.

    `completes`: per case the last batch in which a match may have completed. Events of a case of which the
    batch completes none, and that is over at its end, are of no use either. Returns how many are of none.
    """
    return judge_all(rows, bits, said, outlook, cases, completes, batch, settles)


@part
def judge_all(rows, bits, said, outlook, cases, completes, batch, settles):
    useless = 0
    for n in range(rows.size):
        row = rows[n]
        if said.after[row] != BROKEN:
            before = outlook.verdict_of[said.before[row]]
            after = outlook.verdict_of[said.after[row]]
            left = bits[n] & outlook.usable[before, 0] & outlook.usable[after, 1]
            useless += bits[n] != 0 and left == 0
            bits[n] = left
            if settles.size:
                settles[n] = outlook.settled[after] > outlook.settled[before]
        if bits[n] & outlook.completing and said.cases[row] >= 0:
            completes[said.cases[row]] = batch
    if outlook.completing == 0:
        return useless
    for n in range(rows.size):
        case = said.cases[rows[n]]
        if bits[n] and case >= 0 and completes[case] != batch and is_over(case, cases, outlook):
            bits[n] = 0
            useless += 1
    return useless


@inlined
def is_over(case, cases, outlook):
    unbroken = cases[case, BROKE_AT] == UNBROKEN_YET
    return unbroken and outlook.over[outlook.verdict_of[cases[case, UNBROKEN]]]


@kernel
def stamp(chosen, rows, position, said, verdict_of, laid_at, table, column):
    """Write at every event that is laid what is dead before and after it.

    A case that has broken a constraint is matched as it is. What was dropped before stays dropped: the first
    event of a partition since then still brings the last verdict before it.
    """
    for n in range(chosen.size):
        row = chosen[n]
        is_broken = said.after[row] == BROKEN
        key = max(table[n, KEY], 0)
        holds = not is_broken or laid_at[key] < said.broke_at[row]
        table[n, column + VERDICT_BEFORE] = verdict_of[said.before[row]] if holds else 0
        table[n, column + VERDICT_AFTER] = 0 if is_broken else verdict_of[said.after[row]]
        table[n, column + CASE_OF] = said.cases[row]
        laid_at[key] = position + rows[row]


@kernel
def first_of_use(first, last, table, column, outlook, cases):
    """The first of these rows of the event table whose case is not over."""
    for row in range(first, last):
        case = table[row, column + CASE_OF]
        if case < 0 or not is_over(case, cases, outlook):
            return row
    return last


@kernel
def count_useless(table, column, outlook, cases):
    """How many rows of the event table are of cases that are over."""
    count = 0
    for row in range(table.shape[0]):
        case = table[row, column + CASE_OF]
        count += case >= 0 and is_over(case, cases, outlook)
    return count
