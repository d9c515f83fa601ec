"""Drops what constraints leave no future: events before they are laid, partial matches of a case, and the
waiting of matches that nothing can rule out any more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cases import BROKE_AT, BROKEN, CASE_STATE, UNBROKEN_YET
from sase.kernels.cells import CASE_OF, DEADLINE, KEY, MATCHES, PATH, VERDICT_AFTER, VERDICT_BEFORE
from sase.kernels.cells import COMPONENT_BITS as STEP_BITS
from sase.kernels.jit import inlined, kernel, part
from sase.kernels.waiting import rise

RELEASED = -(2**62)  # deadline of a match that waits no longer
NOBODY = -1
RELEASE_CASE, RELEASE_CLOCK = range(2)


class Pruned(NamedTuple):
    """What became of each verdict's partial matches; a verdict is a row."""

    column: int  # of the event table, where the verdicts begin; -1: there are no constraints
    dead: NDArray[np.uint8]  # (verdict, state): whether no partial match in the state can complete
    settled: NDArray[np.uint8]  # per verdict whether nothing can come that would rule out at the end
    release: NDArray[np.int64]  # the case whose waiting matches are to go out, and its clock


@inlined
def verdict_before(event, events, pruned):
    return events.rows[event - events.base, pruned.column + VERDICT_BEFORE]


@inlined
def verdict_after(event, events, pruned):
    return events.rows[event - events.base, pruned.column + VERDICT_AFTER]


@inlined
def note_release(event, clock, events, pruned):
    """Where the event has settled a case, its waiting matches go out before the next event."""
    if pruned.settled[verdict_after(event, events, pruned)]:
        pruned.release[RELEASE_CASE] = events.rows[event - events.base, pruned.column + CASE_OF]
        pruned.release[RELEASE_CLOCK] = clock


@part
def release(column, pending, waiting, events):
    """Put the waiting matches of a case at the front, for `fire` to let out."""
    case = pending[RELEASE_CASE]
    heap = waiting.heap
    for at in range(waiting.size[MATCHES]):  # one that rises has been looked at, and so have those it passes
        first = waiting.path[heap[at, PATH]] >> STEP_BITS
        if heap[at, DEADLINE] > RELEASED and events.rows[first - events.base, column + CASE_OF] == case:
            heap[at, DEADLINE] = RELEASED
            rise(at, heap)


class Outlook(NamedTuple):
    """What the states of cases mean to a query."""

    verdict_of: NDArray[np.int64]  # per state
    usable: NDArray[np.int64]  # (state, 2): bits of which there is something to go on from, that lead on
    settled: NDArray[np.uint8]  # per state: nothing can come that would rule out at the end
    over: NDArray[np.bool_]  # per state: no event so far is of any use
    completing: int  # bits with which a match may complete; 0: nothing is known before its time


@kernel
def judge(rows, bits, said, outlook, cases, completes, batch, settles):
    """Clear the bits of what events can be to no partial match; note which rows settle a case.

    From the last event to the first. Events of a case that is over at the end of the batch, and of which the
    batch completes no match after them, are of no use either: `completes` has per case the last batch in
    which a match may have completed. Returns how many are of none by their verdicts, and how many others by
    the end of the batch.
    """
    return judge_all(rows, bits, said, outlook, cases, completes, batch, settles)


@part
def judge_all(rows, bits, said, outlook, cases, completes, batch, settles):
    useless, over, usable, completing = 0, 0, outlook.usable, outlook.completing
    for n in range(rows.size - 1, -1, -1):
        at, row, left = np.uint64(n), np.uint64(rows[n]), bits[n]
        before, after = np.uint64(said.before[row]), said.after[row]
        if after != BROKEN:
            left &= usable[before, np.uint64(0)] & usable[np.uint64(after), np.uint64(1)]
            if settles.size:
                settles[at] = outlook.settled[np.uint64(after)] > outlook.settled[before]
        useless += bits[at] != 0 and left == 0
        if completing and left:
            case = said.cases[row]
            if left & completing and case >= 0:
                completes[np.uint64(case)] = batch
            elif case >= 0 and completes[np.uint64(case)] != batch and is_over(case, cases, outlook):
                left = 0
                over += 1
        bits[at] = left
    return useless, over


@inlined
def is_over(case, cases, outlook):
    unbroken = cases[case, BROKE_AT] == UNBROKEN_YET
    return unbroken and outlook.over[cases[case, CASE_STATE]]


@kernel
def stamp(chosen, rows, position, said, verdict_of, idle, laid_at, table, column):
    """Write at every event that is laid what is dead before and after it.

    A case that has broken a constraint is matched as it is. What was dropped before stays dropped: the first
    event of a partition since then still brings the last verdict before it. `idle`: only such an event need.
    """
    for n in range(chosen.size):
        at, row = np.uint64(n), np.uint64(chosen[n])
        after, key = said.after[row], np.uint64(max(table[at, np.uint64(KEY)], 0))
        holds = not idle if after != BROKEN else laid_at[key] < said.broke_at[row]
        before = verdict_of[np.uint64(said.before[row])] if holds else 0
        table[at, np.uint64(column + VERDICT_BEFORE)] = before
        table[at, np.uint64(column + VERDICT_AFTER)] = 0 if after == BROKEN else verdict_of[np.uint64(after)]
        table[at, np.uint64(column + CASE_OF)] = said.cases[row]
        laid_at[key] = position + rows[row]


@kernel
def name_cases(chosen, cases, table, column):
    """The same where there is nothing to say. Where a case breaks a constraint later, it is after these."""
    for n in range(chosen.size):
        at = np.uint64(n)
        table[at, np.uint64(column + VERDICT_BEFORE)] = 0
        table[at, np.uint64(column + VERDICT_AFTER)] = 0
        table[at, np.uint64(column + CASE_OF)] = cases[np.uint64(chosen[n])]


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
