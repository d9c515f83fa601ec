"""What an exit waits for before it is told, and what was paid on the way to it."""

from __future__ import annotations

from app.cleaning.tables import AREA, HEARD, READER
from app.cleaning.whereabouts.company import UNKNOWN
from app.cleaning.whereabouts.kinds import SHORT
from app.cleaning.whereabouts.learning import TRIP_HOURS
from app.cleaning.whereabouts.tables import (
    COMPANY,
    GATE_SEEN,
    PAID_AT,
    TILL_AT,
    TILL_READER,
    TILL_SURE,
    TRIP_AREA,
    TRIP_AT,
)
from sase.kernels.jit import part

_SURELY = 0.999  # out: nothing to wait for but a till
_HEARD_HERE = 0.1  # round trips of a tag an hour
_AT_ONCE_MS = 5000  # after the gate's last read
_SOON_MS = 1000
_ON_THE_WAY_MS = 180_000  # from a till to an exit
_JUST_PAID_MS = 1_800_000
_QUIETER = 1.25  # times as long as ever: a reader that holds its reports back
_DOWN_MS = 75_000  # nothing was held back for so long: it is down
_SPEAKS_FOR_IT = 10.0  # who was read at a till and then goes out, was at the till: the odds
PARTS = 10_000  # of one, in which TILL_SURE is kept


@part
def enough_for_out(state, here):
    """How likely an exit must be to be told: less where nobody can say that the tag still lies there."""
    blind = state[AREA] >= 0 and not here.senses.alive[state[READER]]
    return here.rules.out_blind if blind else here.rules.out


@part
def may_go(tag, ts, out, floor, here):
    """A doubtful exit waits until it is known who else is heard there, and for more; one that nobody has
    seen paying waits for a till that holds its reports back. None waits for longer than `wait`."""
    known, rules = here.known[tag], here.rules
    since = ts - known[GATE_SEEN]
    unpaid = ts - known[PAID_AT] > _JUST_PAID_MS
    if unpaid and since < rules.wait - _SOON_MS and _a_till_holds(ts, floor, here):
        return False
    if out < rules.out_late and since > _AT_ONCE_MS:
        return False
    visiting = known[TRIP_AT] > 0 and ts - known[TRIP_AT] < _AT_ONCE_MS
    return out >= _SURELY or not (visiting and known[COMPANY] == UNKNOWN and _is_heard_here(known, here))


@part
def _is_heard_here(known, here):
    """Whether the gate hears now and then what lies where the tag lay."""
    gates = here.trips.shape[1]
    area, gate = known[TRIP_AREA] // gates, known[TRIP_AREA] % gates
    hours = TRIP_HOURS + here.learned.exposed[area] / 3600.0
    return here.learned.round_trips[area, gate] / hours > _HEARD_HERE


@part
def _a_till_holds(ts, floor, here):
    rules = here.rules
    for reader in range(len(rules.signs)):
        if rules.signs[reader] and rules.pace[floor.reader_area[reader]] == SHORT:
            heard = floor.readers[reader, HEARD]
            silence = ts - heard
            if heard > 0 and _QUIETER * here.learned.longest[reader] < silence < _DOWN_MS:
                return True
    return False


@part
def note_till(tag, read_at, reader, sure, here):
    """The tag was read at a till: how likely it is that it was there."""
    known = here.known[tag]
    if read_at - known[TILL_AT] > _ON_THE_WAY_MS:
        known[TILL_SURE] = 0
    known[TILL_AT] = max(known[TILL_AT], read_at)
    known[TILL_READER] = reader
    known[TILL_SURE] = max(known[TILL_SURE], round(sure * PARTS))


@part
def paid_on_the_way(tag, ts, here):
    """How likely it is in hindsight that it was paid, if nobody was told so."""
    known = here.known[tag]
    told = known[TILL_AT] - known[PAID_AT] < _ON_THE_WAY_MS
    if told or known[TILL_SURE] == 0 or ts - known[TILL_AT] > _ON_THE_WAY_MS:
        return 0.0
    sure = known[TILL_SURE] / PARTS
    return _SPEAKS_FOR_IT * sure / (_SPEAKS_FOR_IT * sure + 1.0 - sure)
