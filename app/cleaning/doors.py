"""Which way tags go through a door: motion on one side, the gate's reads, motion on the other side."""

from __future__ import annotations

from app.cleaning.tables import (
    AREA,
    BEGAN,
    CAME_IN,
    ENDED,
    ENDED_AT,
    FROM,
    JUST_ENDED_MS,
    NEITHER,
    NOWHERE,
    OUTSIDE,
    PASSED,
    READER,
    SEEN,
    STILL_NEAR_MS,
    UNDER_WAY,
    WENT_OUT,
    Floor,
    Read,
    Table,
    tell,
)
from sase.kernels.jit import kernel


@kernel
def move(read: Read, floor: Floor) -> None:
    """Somebody moves on one side of a door: the beginning of a passage, or the end of one from the other."""
    side, door = floor.reader_side[read.reader], floor.doors[read.area]
    if side == NEITHER:
        return
    fresh = is_under_way(read, floor)
    if fresh and door[FROM] != side:
        door[UNDER_WAY] -= 1
        door[ENDED] = side
        door[ENDED_AT] = read.ts
        for tag in range(floor.tags.shape[0]):
            if _is_in_door(read, floor.tags[tag], floor):
                go_through(read.ts, tag, side, floor)
        return
    door[UNDER_WAY] = door[UNDER_WAY] + 1 if fresh else 1
    door[FROM] = side
    door[BEGAN] = read.ts


@kernel
def is_under_way(read: Read, floor: Floor) -> bool:
    """Whether somebody has begun to pass the door and may still be in it."""
    door = floor.doors[read.area]
    return bool(door[UNDER_WAY] > 0 and read.ts - door[BEGAN] <= floor.passage)


@kernel
def has_just_ended(read: Read, floor: Floor) -> bool:
    return bool(read.ts - floor.doors[read.area][ENDED_AT] <= JUST_ENDED_MS)


@kernel
def go_with_the_others(read: Read, floor: Floor) -> None:
    """A tag that the gate hears only when the passage is over has gone the same way."""
    if floor.doors[read.area][UNDER_WAY] == 0 and has_just_ended(read, floor):
        go_through(read.ts, read.tag, floor.doors[read.area][ENDED], floor)


@kernel
def _is_in_door(read: Read, state: Table, floor: Floor) -> bool:
    """Whether the door's gate was the last to hear the tag, just now, and its way is not yet known."""
    if state[PASSED] != NEITHER or read.ts - state[SEEN] > STILL_NEAR_MS:
        return False
    here = state[AREA] == read.area or state[AREA] == NOWHERE
    return bool(here and floor.reader_area[state[READER]] == read.area)


@kernel
def go_through(ts: int, tag: int, side: int, floor: Floor) -> None:
    """Once in a stay: who lingers in the door does not go through it again with everyone else."""
    state = floor.tags[tag]
    state[PASSED] = side
    passed = Read(ts, state[READER], tag, floor.reader_area[state[READER]], 0)
    tell(WENT_OUT if side == OUTSIDE else CAME_IN, passed, 0, floor)
