"""Merging runs that can no longer differ (SASE+ 5.2.2): same event, same state, same values still needed."""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import FIELDS, GROUP, KIND, LIVE, LIVE_END, RUN, SINCE, STAMP, START, STATE
from sase.kernels.jit import inlined
from sase.kernels.runs.facts import is_grouped
from sase.kernels.runs.tables import NONE

PROBES = 8


@inlined
def find_twin(run, event, tables, events):
    """A run that selected the event too and agrees on everything that matters from now on; or NONE.

    Otherwise the new one is entered, to be found by others; where the table is crowded runs stay apart.
    """
    twins = tables.work.twins
    start = fingerprint(run, tables, events)
    for probe in range(PROBES):
        slot = (start + probe) & (twins.shape[0] - 1)
        if twins[slot, STAMP] != event:
            twins[slot, STAMP] = event
            twins[slot, RUN] = run
            return np.int64(NONE)
        if agree(run, twins[slot, RUN], tables, events):
            return twins[slot, RUN]
    return np.int64(NONE)


@inlined
def fingerprint(run, tables, events):
    """A hash of the state and of all values that it still needs."""
    live = tables.automaton.live
    rows = tables.runs.rows
    state = rows[run, STATE]
    mixed = state + 1
    for x in range(tables.automaton.states[state, LIVE], tables.automaton.states[state, LIVE_END]):
        value = rows[run, live[x, 0]]
        if live[x, 1] >= 0:
            value = events.rows[value - events.base, live[x, 1]]
        mixed = (mixed ^ value) * np.int64(0x1E3779B97F4A7C15)
        mixed ^= mixed >> 29
    return mixed


@inlined
def agree(run, other, tables, events):
    rows = tables.runs.rows
    base = events.base
    state = rows[run, STATE]
    if rows[other, STATE] != state:
        return False
    if is_grouped(tables.plan) and (
        events.rows[rows[run, START] - base, GROUP] != events.rows[rows[other, START] - base, GROUP]
    ):
        return False
    for x in range(tables.automaton.states[state, LIVE], tables.automaton.states[state, LIVE_END]):
        field, column = tables.automaton.live[x, 0], tables.automaton.live[x, 1]
        own, its = rows[run, field], rows[other, field]
        if column < 0:
            if own != its:
                return False
        elif (
            events.rows[own - base, column] != events.rows[its - base, column]
            or events.rows[own - base, column + KIND] != events.rows[its - base, column + KIND]
        ):
            return False
    return True


@inlined
def follow(twin, run, rows):
    """A merged run holds the youngest one's events: they are there as long as the run is."""
    rows[twin, START] = rows[run, START]
    rows[twin, SINCE] = rows[run, SINCE]
    for field in range(FIELDS, rows.shape[1]):
        rows[twin, field] = rows[run, field]
