"""What is told of a tag, when its belief is sure enough, and how sure that is beside what was told before."""

from __future__ import annotations

import numpy as np

from app.cleaning.tables import (
    AREA,
    ARRIVED,
    HEARD,
    LEFT,
    NEITHER,
    NOWHERE,
    PASSED,
    READER,
    SEEN,
    SINCE,
    TOLD,
    UP_SINCE,
    Read,
    tell,
)
from app.cleaning.whereabouts.belief import chance_of, chance_out
from app.cleaning.whereabouts.company import weigh_company
from app.cleaning.whereabouts.exits import enough_for_out, may_go, paid_on_the_way
from app.cleaning.whereabouts.kinds import PASSAGE, SHORT, WAY_OUT
from app.cleaning.whereabouts.tables import (
    APART,
    EXIT_WAITS,
    GATE_READER,
    GATE_SEEN,
    HITS,
    LAST,
    LAST_READER,
    OUT_TOLD,
    PAID_AT,
    TILL_READER,
)
from sase.kernels.jit import part

_CERTAIN = np.float32(0.9999)
_LEAST = 1e-6
_SOON = 2  # periods
_WORTH_TELLING = 0.5  # that it was paid
_NOT_OUT = np.float32(0.5)
_REFUTED = np.float32(0.5)  # of what is believed: what was told before is taken back if it leaves less
IN_AREA, NOT_IN_AREA, GONE_OUT = range(3)


@part
def tell_changes(tag, ts, floor, here):
    """Compares what is believed with what was told."""
    rules, known, state = here.rules, here.known[tag], floor.tags[tag]
    belief = here.belief[tag]
    weigh_company(tag, ts, here)
    out = chance_out(belief, rules)
    if known[OUT_TOLD] and out < _NOT_OUT:
        known[OUT_TOLD] = 0
    told = state[AREA]
    lately = known[GATE_SEEN] > 0 and ts - known[GATE_SEEN] <= rules.wait
    known[EXIT_WAITS] = 0
    if out >= enough_for_out(state, here) and lately and not known[OUT_TOLD]:
        if may_go(tag, ts, out, floor, here):
            _go_out(tag, ts, floor, here)
        else:
            known[EXIT_WAITS] = 1
        return
    best = _likeliest(belief, rules)
    likely = chance_of(belief, best, rules)
    enough = rules.paid if rules.pace[best] == SHORT else rules.sure
    once = known[HITS] == 0  # no reader twice: a tag that never answers is heard like this, now and then
    if best != told and likely >= enough and not once:
        _arrive(tag, ts, best, known[LAST_READER], IN_AREA, floor, here)
        known[OUT_TOLD] = 0
    elif told != NOWHERE and _has_left(belief, told, rules) and _went_on(state, floor, here):
        _leave(tag, ts, floor, here)


@part
def _has_left(belief, told, rules):
    """A passage is left by a rule of its own."""
    if rules.pace[told] == PASSAGE:
        return False
    return chance_of(belief, told, rules) <= np.float32(1.0) - rules.sure


@part
def _went_on(state, floor, here):
    """Whether the tag's reader was heard without it: one that is down has lost nothing."""
    reader = floor.readers[state[READER]]
    silence = reader[HEARD] - max(state[SEEN], reader[UP_SINCE])
    return silence > _SOON * here.rules.period[state[READER]]


@part
def _likeliest(belief, rules):
    """Of the areas where tags are heard and that are no way out: these are told by another rule."""
    best, most = 0, np.float32(-1.0)
    for area in range(len(rules.start)):
        if rules.heard[area] and rules.pace[area] != WAY_OUT and rules.pace[area] != PASSAGE:
            chance = chance_of(belief, area, rules)
            if chance > most:
                best, most = area, chance
    return best


@part
def _go_out(tag, ts, floor, here):
    reader = here.known[tag, GATE_READER]
    paid = paid_on_the_way(tag, ts, here)
    if paid >= _WORTH_TELLING:
        _pay(tag, ts, paid, floor, here)
    _arrive(tag, ts, floor.reader_area[reader], reader, GONE_OUT, floor, here)
    here.known[tag, OUT_TOLD] = 1


@part
def _arrive(tag, ts, area, reader, claim, floor, here):
    state = floor.tags[tag]
    if state[AREA] != NOWHERE:
        _leave(tag, ts, floor, here)
    if floor.reader_area[reader] != area:
        reader = _a_reader_of(area, floor)
    line = _be_told(tag, ts, area, reader, floor, here)
    _note(line, _take_for_true(tag, area, claim, here), floor)


@part
def _pay(tag, ts, chance, floor, here):
    """In hindsight: what went out was at the till, though that was not sure enough at the time."""
    if floor.tags[tag, AREA] != NOWHERE:
        _leave(tag, ts, floor, here)
    reader = here.known[tag, TILL_READER]
    _note(_be_told(tag, ts, floor.reader_area[reader], reader, floor, here), chance, floor)


@part
def _be_told(tag, ts, area, reader, floor, here):
    """The line that tells of the tag there."""
    state = floor.tags[tag]
    state[AREA] = area
    state[SEEN] = here.known[tag, LAST]
    state[SINCE] = ts
    state[TOLD] = ts
    state[READER] = reader
    state[PASSED] = NEITHER
    if here.rules.pace[area] == SHORT:
        here.known[tag, PAID_AT] = ts
    return tell(ARRIVED, Read(ts, reader, tag, area, 0), 0, floor)


@part
def _leave(tag, ts, floor, here):
    state = floor.tags[tag]
    area, reader = state[AREA], state[READER]
    state[AREA] = NOWHERE
    line = tell(LEFT, Read(ts, reader, tag, area, 0), max(state[SEEN] - state[SINCE], 0), floor)
    _note(line, _take_for_true(tag, area, NOT_IN_AREA, here), floor)


@part
def _a_reader_of(area, floor):
    for reader in range(len(floor.reader_area)):
        if floor.reader_area[reader] == area:
            return reader
    return 0


@part
def _note(line, chance, floor):
    floor.sure[line] = np.nan if chance >= _CERTAIN else max(chance, _LEAST)


@part
def _take_for_true(tag, area, claim, here):
    """The chance of what is told now if all was true that was told before; from now on this is true as well.

    Where what was told before has been refuted, the new claim stands alone."""
    known, belief, given = here.known[tag], here.belief[tag], here.given[tag]
    alone = _chance(belief, area, claim, here.rules)
    chance = _chance(given, area, claim, here.rules) if known[APART] else alone
    if not known[APART] or chance < _REFUTED * alone:
        for state in range(len(belief)):
            given[state] = belief[state]
        chance = alone
    if chance >= _CERTAIN:
        known[APART] = known[APART] and chance != alone
        return chance
    _restrict(given, area, claim, here.rules)
    known[APART] = 1
    return chance


@part
def _chance(belief, area, claim, rules):
    if claim == GONE_OUT:
        return chance_out(belief, rules)
    inside = chance_of(belief, area, rules)
    return inside if claim == IN_AREA else np.float32(1.0) - inside


@part
def _restrict(given, area, claim, rules):
    total = np.float32(0.0)
    for other in range(len(rules.start)):
        end = rules.start[other + 1] if other + 1 < len(rules.start) else len(given) - 3
        inside = other == area if claim != GONE_OUT else rules.pace[other] == WAY_OUT
        if inside != (claim != NOT_IN_AREA):
            for state in range(rules.start[other], end):
                given[state] = 0.0
    if claim != NOT_IN_AREA:
        given[-3] = 0.0
        given[-2] = 0.0
        if claim == IN_AREA:
            given[-1] = 0.0
    for state in range(len(given)):
        total += given[state]
    for state in range(len(given)):
        given[state] /= max(total, np.float32(1e-30))
