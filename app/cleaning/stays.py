"""Follows every tag from stay to stay: the compiled loop of cleaning, over plain integer tables."""

from __future__ import annotations

from app.cleaning.doors import go_with_the_others, move
from app.cleaning.tables import (
    _LONG,
    ALIVE,
    ALIVE_TOLD,
    AREA,
    ARRIVED,
    CLAIM_COLUMNS,
    CLAIM_SEEN,
    CLAIM_STRENGTH,
    CLAIMANT,
    CLAIMS,
    CLOCK,
    CONFIRM_WITHIN,
    COUNT,
    EARLIEST,
    FORGET,
    GLIMPSED,
    HEARD,
    HELD,
    LAST_TICK,
    LEFT,
    MOTION,
    NEITHER,
    NO_TAG,
    NOWHERE,
    OF_CLOCK,
    PASSED,
    READER,
    REFRESH,
    SCAN,
    SCANNED,
    SEEN,
    SINCE,
    STILL,
    STRENGTH,
    TICK_MS,
    TOLD,
    UP_SINCE,
    Floor,
    Read,
    Table,
    tell,
)
from sase.kernels.jit import inlined, kernel

_A_MOMENT_MS = 60_000


@kernel
def follow(rows: Table, floor: Floor, until: int) -> None:
    """Takes rows (ts, reader, tag, strength, what) in order and then lets time pass until `until`. A row that
    tells of a reader's clock has the offset for its strength."""
    for row in range(rows.shape[0]):
        ts, reader, tag, what = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 4]
        read = Read(ts, reader, tag, floor.reader_area[reader], rows[row, 3])
        if ts - floor.clock[LAST_TICK] >= TICK_MS:
            _pass_time(ts, floor)
        if what == OF_CLOCK:
            tell(CLOCK, Read(ts, reader, NO_TAG, read.area, 0), read.strength, floor)
            continue
        hear(read, floor)
        if what == MOTION:
            move(read, floor)
        elif tag >= 0 and what == SCAN:
            tell(SCANNED, read, 0, floor)
        elif tag >= 0 and what == HELD:
            _see_late(read, rows[row, 5], floor.tags[tag], floor)
        elif tag >= 0:
            _see(read, floor.tags[tag], floor)
    _pass_time(until, floor)


@kernel
def _see(read: Read, state: Table, floor: Floor) -> None:
    if state[AREA] == read.area:
        _stay(read, state, floor)
    else:
        _claim(read, state, floor)


@kernel
def _see_late(read: Read, read_at: int, state: Table, floor: Floor) -> None:
    """A read that was held back: as good as any if nothing newer is known of its tag. An older one still
    tells who stood where that matters; a minute comes in a second, so how often goes by when it was read."""
    if read_at > state[SEEN]:
        _see(read, state, floor)
        if state[AREA] == read.area:
            state[SEEN] = read_at
            state[TOLD] = min(state[TOLD], read_at)
            floor.clock[EARLIEST] = min(floor.clock[EARLIEST], read_at + floor.areas[read.area, FORGET])
    elif _matters_who(read.area, floor):
        tell(STILL, read, read.ts - read_at, floor)


@inlined
def _matters_who(area: int, floor: Floor) -> bool:
    """Whether the place asks for it to be told again and again who is there."""
    return bool(floor.areas[area, REFRESH] <= _A_MOMENT_MS)


@kernel
def _pass_time(ts: int, floor: Floor) -> None:
    """Every second of event time, asks which tags have left; nothing can leave before the first reading."""
    if floor.clock[LAST_TICK] == 0 and ts > 0:
        floor.clock[LAST_TICK] = ts - ts % TICK_MS
    start = floor.clock[LAST_TICK]
    for tick in range(1, (ts - start) // TICK_MS + 1):
        now = start + tick * TICK_MS
        floor.clock[LAST_TICK] = now
        if now > floor.clock[EARLIEST]:
            floor.clock[EARLIEST] = _look_round(now, floor)


@kernel
def _look_round(now: int, floor: Floor) -> int:
    """Sends off the tags that have left; returns the moment before which none of the others can."""
    earliest = now + _LONG
    for tag in range(floor.tags.shape[0]):
        if floor.tags[tag, AREA] != NOWHERE:
            deadline = floor.tags[tag, SEEN] + floor.areas[floor.tags[tag, AREA], FORGET]
            if deadline < now and has_left(floor.tags[tag], floor):
                leave(now, tag, floor.tags[tag], floor)
            else:
                earliest = min(earliest, deadline)
    return earliest


@kernel
def has_left(state: Table, floor: Floor) -> bool:
    """Silence counts only while the tag's reader is heard: a reader that is down has lost nothing."""
    reader = floor.readers[state[READER]]
    silence = reader[HEARD] - max(state[SEEN], reader[UP_SINCE])
    return bool(silence > floor.areas[state[AREA], FORGET])


@inlined
def hear(read: Read, floor: Floor) -> None:
    """A sign of life of a reader."""
    state = floor.readers[read.reader]
    silence = max(floor.areas[read.area, FORGET], 2 * floor.alive_every)
    if state[HEARD] == 0 or read.ts - state[HEARD] > silence:
        state[UP_SINCE] = read.ts
    state[HEARD] = max(state[HEARD], read.ts)
    if read.ts - state[ALIVE_TOLD] >= floor.alive_every:
        state[ALIVE_TOLD] = read.ts
        tell(ALIVE, Read(read.ts, read.reader, NO_TAG, read.area, 0), 0, floor)


@kernel
def _stay(read: Read, state: Table, floor: Floor) -> None:
    """One more read where the tag already is: a repeat, unless it is time to tell again."""
    state[SEEN] = max(state[SEEN], read.ts)
    state[READER] = read.reader
    state[STRENGTH] = (3 * state[STRENGTH] + read.strength) // 4
    for claim in (_claim_of(state, 0), _claim_of(state, 1)):
        if read.strength > claim[CLAIM_STRENGTH]:
            claim[CLAIMANT] = NOWHERE
    if read.ts - state[TOLD] >= floor.areas[read.area, REFRESH]:
        state[TOLD] = read.ts
        tell(STILL, read, max(read.ts - state[SINCE], 1), floor)  # 0 is an arrival


@kernel
def _claim(read: Read, state: Table, floor: Floor) -> None:
    """A read elsewhere: believed once confirmed, and not much weaker than where the tag was last read."""
    claim = _best_claim(read, state, floor)
    if claim[CLAIMANT] == read.area and _is_fresh(read.ts, claim, floor):
        claim[COUNT] += 1
        claim[CLAIM_STRENGTH] = max(claim[CLAIM_STRENGTH], read.strength)
    elif not _is_fresh(read.ts, claim, floor) or read.strength >= claim[CLAIM_STRENGTH]:
        claim[CLAIMANT] = read.area
        claim[COUNT] = 1
        claim[CLAIM_STRENGTH] = read.strength
        if _matters_who(read.area, floor):
            tell(GLIMPSED, read, 0, floor)
    else:
        return
    claim[CLAIM_SEEN] = read.ts
    if claim[COUNT] >= floor.confirm and _wins(read.ts, claim[CLAIM_STRENGTH], state, floor):
        _arrive(read, claim[CLAIM_STRENGTH], state, floor)


@kernel
def _claim_of(state: Table, which: int) -> Table:
    start = CLAIMS + which * CLAIM_COLUMNS
    return state[start : start + CLAIM_COLUMNS]


@kernel
def _best_claim(read: Read, state: Table, floor: Floor) -> Table:
    """This area's own claim, else one that has lapsed, else the weaker of the two."""
    first, second = _claim_of(state, 0), _claim_of(state, 1)
    if first[CLAIMANT] == read.area:
        return first
    if second[CLAIMANT] == read.area:
        return second
    if not _is_fresh(read.ts, first, floor):
        return first
    if not _is_fresh(read.ts, second, floor) or second[CLAIM_STRENGTH] < first[CLAIM_STRENGTH]:
        return second
    return first


@kernel
def _is_fresh(ts: int, claim: Table, floor: Floor) -> bool:
    """Whether the claim is so recent that one more read would confirm it."""
    if claim[CLAIMANT] == NOWHERE:
        return False
    return bool(ts - claim[CLAIM_SEEN] <= floor.areas[claim[CLAIMANT], CONFIRM_WITHIN])


@kernel
def _wins(ts: int, strength: int, state: Table, floor: Floor) -> bool:
    if state[AREA] == NOWHERE or ts - state[SEEN] > floor.areas[state[AREA], FORGET]:
        return True
    return bool(strength >= state[STRENGTH] - floor.margin)


@kernel
def _arrive(read: Read, strength: int, state: Table, floor: Floor) -> None:
    if state[AREA] != NOWHERE:
        leave(read.ts, read.tag, state, floor)
    state[AREA] = read.area
    state[STRENGTH] = strength
    state[SEEN] = read.ts
    state[SINCE] = read.ts
    state[TOLD] = read.ts
    state[READER] = read.reader
    _claim_of(state, 0)[CLAIMANT] = NOWHERE
    _claim_of(state, 1)[CLAIMANT] = NOWHERE
    state[PASSED] = NEITHER
    floor.clock[EARLIEST] = min(floor.clock[EARLIEST], read.ts + floor.areas[read.area, FORGET])
    tell(ARRIVED, read, 0, floor)
    go_with_the_others(read, floor)


@kernel
def leave(ts: int, tag: int, state: Table, floor: Floor) -> None:
    last = Read(ts, state[READER], tag, state[AREA], 0)
    state[AREA] = NOWHERE
    tell(LEFT, last, state[SEEN] - state[SINCE], floor)
