"""Follows every tag by what is believed of it: the compiled loop of cleaning by whereabouts."""

from __future__ import annotations

from app.cleaning.doors import move
from app.cleaning.stays import hear as hear_reader
from app.cleaning.tables import (
    AREA,
    CLOCK,
    HELD,
    LAST_ROW,
    LAST_TICK,
    MOTION,
    NO_TAG,
    OF_CLOCK,
    ORDER,
    READER,
    REFRESH,
    SCAN,
    SCANNED,
    SEEN,
    SINCE,
    STARTED,
    STILL,
    STRENGTH,
    TAG,
    TICK_MS,
    TOLD,
    UP_SINCE,
    Floor,
    Read,
    Table,
    tell,
)
from app.cleaning.whereabouts.belief import bring, chance_of, hear, nearest_second
from app.cleaning.whereabouts.exits import note_till
from app.cleaning.whereabouts.kinds import MIDDLING, PASSAGE, SHORT, SLOW, WAY_OUT
from app.cleaning.whereabouts.learning import count_read, listen, note_sign, note_trip
from app.cleaning.whereabouts.passing import end_passage, is_in_door, leave_door, pass_door, pass_door_late
from app.cleaning.whereabouts.tables import (
    APART,
    BELIEVED_AT,
    CARRIED,
    DUE_AT,
    EXIT_WAITS,
    FIRST,
    GATE_READER,
    GATE_SEEN,
    GONE,
    LAST,
    LAST_READER,
    SETTLED,
    STRAY_AT,
    STRAY_READER,
    STRAY_STRENGTH,
    UNSETTLED,
    Whereabouts,
)
from app.cleaning.whereabouts.telling import tell_changes
from app.cleaning.whereabouts.wheel import NEXT, put, remove
from sase.kernels.jit import inlined, kernel, part

_GONE = 0.9999  # that it is out: nothing more to wait for
_OFTEN = 4  # periods within which it must be read where it is settled
_WAS_THERE = 0.5  # that a tag was at the till that read it once, if nothing else is known
_RESTLESS = 0.01  # share of states that last seconds only
_CALM, _LONGEST_WAIT = 8, 60  # seconds: of silence for each second between two looks, and the longest
_REPEAT_MS = 100
_DEAD_MS = 3_600_000  # after which no time passes until something is heard


@kernel
def follow(rows: Table, floor: Floor, here: Whereabouts, until: int) -> None:
    """Takes rows (ts, reader, tag, strength, what) in order and then lets time pass until `until`."""
    _follow(rows, floor, here, until)


@part
def _follow(rows, floor, here, until):
    """A part, because a kernel would count references wherever it looks into a tuple."""
    for row in range(rows.shape[0]):
        ts, reader, tag, what = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 4]
        read = Read(ts, reader, tag, floor.reader_area[reader], rows[row, 3])
        if floor.clock[LAST_ROW] == 0:
            floor.clock[STARTED] = ts // TICK_MS
            floor.clock[LAST_TICK] = ts - ts % TICK_MS
        elif ts - floor.clock[LAST_TICK] >= TICK_MS:
            _pass_time(ts, floor, here)
        floor.clock[LAST_ROW] = max(floor.clock[LAST_ROW], ts)
        if what == OF_CLOCK:
            tell(CLOCK, Read(ts, reader, NO_TAG, read.area, 0), read.strength, floor)
            continue
        if what != HELD:
            note_sign(reader, ts, floor, here)
        hear_reader(read, floor)
        if what == MOTION:
            move(read, floor)
            end_passage(read, floor, here)
        elif tag >= 0 and what == SCAN:
            tell(SCANNED, read, 0, floor)
        elif tag >= 0 and what == HELD:
            _see_late(read, rows[row, 5], floor, here)
        elif tag >= 0:
            _see(read, floor, here)
    _pass_time(until, floor, here)


@inlined
def _see(read, floor, here):
    known = here.known[read.tag]
    if here.rules.pace[read.area] == PASSAGE:
        _pass_by(read, floor, here)
        return
    if known[LAST_READER] == read.reader and read.ts - known[LAST] < _repeat(read, here):
        return
    if known[SETTLED] == read.area:
        known[STRAY_AT] = 0
        count_read(known, read.ts, read.reader, here)
        _stay(read, floor.tags[read.tag], floor)
    elif known[SETTLED] == UNSETTLED or not _may_be_stray(read, floor, here):
        _weigh(read, floor, here)


@part
def _may_be_stray(read, floor, here):
    """Of a settled tag, one read by another shelf's reader is noted until its own or another one follows."""
    known, state = here.known[read.tag], floor.tags[read.tag]
    if known[STRAY_AT] > 0:
        return known[STRAY_READER] == read.reader and read.ts - known[STRAY_AT] < _repeat(read, here)
    lies = here.rules.pace[read.area] in (SLOW, MIDDLING)
    if not lies or read.ts - state[SEEN] > _OFTEN * here.rules.period[state[READER]]:
        return False
    known[STRAY_AT], known[STRAY_READER], known[STRAY_STRENGTH] = read.ts, read.reader, read.strength
    here.learned.strays[read.reader, known[SETTLED]] += 1.0
    return True


@part
def _see_late(read, read_at, floor, here):
    """A read that was held back: as good as any if nothing newer is known of its tag. An older one still
    tells that the tag was at a till."""
    known = here.known[read.tag]
    if here.rules.pace[read.area] == PASSAGE:
        if read_at > known[LAST] and known[FIRST] > 0:
            if known[SETTLED] != UNSETTLED:
                _unsettle(read.tag, floor.tags[read.tag], floor, here)
            pass_door_late(read, read_at, floor, here)
            _look_again(read.tag, read.ts // TICK_MS, floor, here)
    elif read_at > known[LAST]:
        _see(read, floor, here)
        if known[FIRST] == read.ts:
            known[FIRST] = read_at
        known[LAST] = read_at
    elif here.rules.pace[read.area] == SHORT:
        note_till(read.tag, read_at, read.reader, _WAS_THERE, here)


@inlined
def _repeat(read, here):
    """Within which a read says nothing new: half a poll, where a tag answers once in each."""
    period, pace = here.rules.period[read.reader], here.rules.pace[read.area]
    return period // 2 if pace in (SLOW, MIDDLING) else min(period // 4, _REPEAT_MS)


@inlined
def _stay(read, state, floor):
    """One more read where the tag was told to be: a repeat, unless it is time to tell again."""
    state[SEEN] = read.ts
    state[READER] = read.reader
    state[STRENGTH] = read.strength
    if read.ts - state[TOLD] >= floor.areas[read.area, REFRESH]:
        state[TOLD] = read.ts
        tell(STILL, read, read.ts - state[SINCE], floor)


@part
def _pass_by(read, floor, here):
    known = here.known[read.tag]
    if known[FIRST] == 0:
        _meet(read.tag, read.ts, floor.tags[read.tag], floor, here)
    if known[SETTLED] != UNSETTLED:
        _unsettle(read.tag, floor.tags[read.tag], floor, here)
    count_read(known, read.ts, read.reader, here)
    pass_door(read, floor, here)
    _look_again(read.tag, read.ts // TICK_MS, floor, here)


@part
def _weigh(read, floor, here):
    """A read that may say something new."""
    tag, ts = read.tag, read.ts
    known, state = here.known[tag], floor.tags[tag]
    if known[FIRST] == 0:
        _meet(tag, ts, state, floor, here)
    if known[SETTLED] != UNSETTLED:
        pace = here.rules.pace[read.area]
        if pace != SHORT and pace != WAY_OUT:
            here.learned.strays[read.reader, known[SETTLED]] += 1.0
        _unsettle(tag, state, floor, here)
    bring(tag, nearest_second(ts), here)
    count_read(known, ts, read.reader, here)
    hear(tag, read.reader, read.area, read.strength, here)
    note_trip(tag, ts, read.area, state[AREA], here)
    if here.rules.pace[read.area] == SHORT:
        note_till(tag, ts, read.reader, chance_of(here.belief[tag], read.area, here.rules), here)
    if here.rules.gate[read.area] >= 0:
        known[GATE_SEEN] = ts
        known[GATE_READER] = read.reader
    before = state[AREA]
    tell_changes(tag, ts, floor, here)
    if before == read.area and state[AREA] == read.area:
        _stay(read, state, floor)
    _look_again(tag, ts // TICK_MS, floor, here)


@part
def _meet(tag, ts, state, floor, here):
    """A tag that is heard for the first time, or whose stay is known from before whereabouts were kept."""
    known, belief, rules = here.known[tag], here.belief[tag], here.rules
    known[FIRST] = ts
    known[BELIEVED_AT] = floor.clock[STARTED]  # that it was silent since then says something, too
    for place in range(len(belief)):
        belief[place] = rules.first[place]
    if state[AREA] >= 0:
        known[BELIEVED_AT] = nearest_second(ts)
        for place in range(len(belief)):
            belief[place] *= 0.05
        belief[rules.start[state[AREA]] + 2] += 0.95


@part
def _unsettle(tag, state, floor, here):
    """From now on every second counts, beginning with its last read, or when its reader came back."""
    known = here.known[tag]
    since = max(state[SEEN], floor.readers[state[READER], UP_SINCE])
    known[BELIEVED_AT] = max(known[BELIEVED_AT], nearest_second(since))
    here.learned.settled[known[SETTLED]] -= 1
    known[SETTLED] = UNSETTLED
    ts, reader = known[STRAY_AT], known[STRAY_READER]
    if nearest_second(ts) >= known[BELIEVED_AT]:
        bring(tag, nearest_second(ts), here)
        count_read(known, ts, reader, here)
        hear(tag, reader, floor.reader_area[reader], known[STRAY_STRENGTH], here)
    known[STRAY_AT] = 0


@part
def _look_again(tag, now, floor, here):
    """Settles a tag of which nothing new is to be learned; another is looked at soon."""
    known, rules = here.known[tag], here.rules
    area = floor.tags[tag, AREA]
    belief = here.belief[tag]
    if known[EXIT_WAITS] or is_in_door(floor.tags[tag], here):
        put(tag, now + 1, here)
        return
    if belief[GONE] >= _GONE:
        known[DUE_AT] = 0
        remove(tag, here)
        return
    if area >= 0 and rules.pace[area] == SLOW and not known[APART]:
        here_now = floor.reader_area[known[LAST_READER]] == area and known[LAST] // TICK_MS == now
        if here_now and chance_of(belief, area, rules) >= rules.settled:
            known[SETTLED] = area
            here.learned.settled[area] += 1
            put(tag, now + 1 + _OFTEN * rules.period[known[LAST_READER]] // TICK_MS, here)
            return
    calm = (now - known[LAST] // TICK_MS) // _CALM
    wait = 1 if _restless(belief, rules) > _RESTLESS else min(max(calm, 1), _LONGEST_WAIT)
    put(tag, now + wait, here)


@part
def _restless(belief, rules):
    """The share of what lasts seconds only: on its way, at a till, at a gate, just laid down."""
    total = belief[CARRIED]
    for area in range(len(rules.start)):
        if rules.pace[area] == SLOW:
            total += belief[rules.start[area]]
        else:
            total += chance_of(belief, area, rules)
    return total


@part
def _pass_time(ts, floor, here):
    """Second by second from the first row on, before anything that happens in it: however the log is cut, the
    same seconds pass."""
    if floor.clock[LAST_ROW] == 0:
        return
    last = min(ts, floor.clock[LAST_ROW] + _DEAD_MS)
    while floor.clock[LAST_TICK] + TICK_MS <= last:
        floor.clock[LAST_TICK] += TICK_MS
        listen(floor.clock[LAST_TICK], floor, here)
        _look_round(floor.clock[LAST_TICK] // TICK_MS, floor, here)
    floor.clock[LAST_TICK] = max(floor.clock[LAST_TICK], ts - ts % TICK_MS)


@part
def _look_round(now, floor, here):
    """All that are due in this second; what is told of them is put in order of the tags later on."""
    first = floor.written[0]
    slot = here.known.shape[0] + now % (here.links.shape[1] - here.known.shape[0])
    tag = here.links[NEXT, slot]
    while tag != slot:
        after = here.links[NEXT, tag]
        if here.known[tag, DUE_AT] <= now:
            _look_at(tag, now, floor, here)
        tag = after
    for line in range(first, floor.written[0]):
        floor.out[line, ORDER] = floor.out[line, TAG]


@part
def _look_at(tag, now, floor, here):
    known, state = here.known[tag], floor.tags[tag]
    if known[SETTLED] != UNSETTLED:
        reader = state[READER]
        since = max(state[SEEN], floor.readers[reader, UP_SINCE])
        due = since // TICK_MS + 1 + _OFTEN * here.rules.period[reader] // TICK_MS
        if due > now or not here.senses.alive[reader]:
            put(tag, max(due, now + _OFTEN), here)
            return
        _unsettle(tag, state, floor, here)
    bring(tag, now, here)
    if is_in_door(state, here):
        leave_door(tag, now * TICK_MS, floor, here)
    else:
        tell_changes(tag, now * TICK_MS, floor, here)
    _look_again(tag, now, floor, here)
