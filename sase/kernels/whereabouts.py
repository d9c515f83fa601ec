"""The fast filter's loops: many independent entities, each brought up to date when it is seen or swept.

Time passes in whole units, by one product with a matrix from a table; the silence of working sensors adds up
in one level per place, of which each entity remembers where it stood.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.jit import inlined, kernel, part

UNITS = 64  # of time, in the table of transitions; beyond that, powers of two
NEVER = -(2**63)
CLOCK, SWEPT, FOUND, LOUDER = range(4)  # cells of `Present.cells`
SURE = 0.9999  # that it is where this sensor listens: hearing it once more says nothing new
OFTEN = 4  # polls within which it must have been heard for that
TELLING = 1e-4  # doubt in an event that is not remembered
LEAST = 1e-6
SMALL = 1e-9


class Crowd(NamedTuple):
    believed: NDArray[np.float32]  # (entities, states)
    given: NDArray[np.float32]  # the same if all that was told is true, where `apart`
    apart: NDArray[np.uint8]
    time: NDArray[np.int64]
    level: NDArray[np.float64]  # (entities, places): of the silence that was counted
    counted: NDArray[np.int64]  # the time up to which it was, in whole polls
    told: NDArray[np.uint8]  # (entities, places)
    sure: NDArray[np.int64]  # the place where it is as good as certain to be, or -1


class Rules(NamedTuple):
    unit: int  # milliseconds
    poll: int  # the shortest, milliseconds
    near: NDArray[np.float32]  # (UNITS, states, states)
    far: NDArray[np.float32]  # (n, states, states): UNITS, 2 * UNITS, 4 * UNITS, ...
    place_of: NDArray[np.int64]
    chance: NDArray[np.float32]  # (sensors, states)
    loud: NDArray[np.float64]  # (sensors, places): minus the log of missing somebody there at a poll
    home: NDArray[np.int64]  # by sensor: where it hears best
    every: NDArray[np.int64]
    longest_gap: int  # polls
    above: float
    below: float


class Present(NamedTuple):
    cells: NDArray[np.int64]
    level: NDArray[np.float64]  # by place
    signs: NDArray[np.int64]  # by sensor
    room: NDArray[np.float32]  # (3, states)
    chances: NDArray[np.float64]  # (places,)


class ChangesFound(NamedTuple):
    entered: NDArray[np.uint8]
    ts: NDArray[np.int64]
    entity: NDArray[np.int64]
    place: NDArray[np.int64]
    prob: NDArray[np.float64]


@kernel
def see(ts, sensors, entities, start, crowd, rules, present, changes):
    """Take sightings that name their entity, from row `start` on; the row at which there was no more room."""
    width = 2 * crowd.told.shape[1]
    for row in range(start, len(ts)):
        sensor, entity, now = sensors[row], entities[row], ts[row]
        if present.cells[FOUND] + width > len(changes.ts):
            return row
        present.cells[CLOCK] = now
        _sign(sensor, now, False, rules, present)
        home = rules.home[sensor]
        since = now - crowd.time[entity]
        if crowd.sure[entity] == home and since <= OFTEN * rules.every[sensor]:
            crowd.time[entity] = now
            _count(entity, now, 1.0, crowd, present)
            continue
        _bring(entity, now, sensor, crowd, rules, present)
        _tell(entity, now, crowd, rules, present, changes)
    return len(ts)


@kernel
def work(sensor, now, rules, present):
    """A sensor was said to work."""
    _sign(sensor, now, True, rules, present)


@kernel
def sweep(now, start, crowd, rules, present, changes):
    """Bring those who were not seen lately to this moment; the entity at which there was no more room."""
    width = 2 * crowd.told.shape[1]
    for entity in range(start, len(crowd.time)):
        if present.cells[FOUND] + width > len(changes.ts):
            return entity
        if now - crowd.time[entity] >= UNITS * rules.unit:
            _bring(entity, now, -1, crowd, rules, present)
            _tell(entity, now, crowd, rules, present, changes)
    return len(crowd.time)


@kernel
def tell(entity, now, crowd, rules, present, changes):
    """One entity was changed from outside: tell what rose above or fell below."""
    _tell(entity, now, crowd, rules, present, changes)


@kernel
def bring(entity, now, crowd, rules, present):
    """One entity to this moment."""
    _bring(entity, now, -1, crowd, rules, present)


@kernel
def brought(now, first, crowd, rules, present, result):
    """What is believed at this moment of as many as `result` has rows, without changing anything."""
    for row in range(len(result)):
        _passed(crowd.believed[first + row], (now - crowd.time[first + row]) // rules.unit, rules, present)
        _quiet(first + row, (now - crowd.counted[first + row]) / rules.poll, crowd, rules, present)
        for k in range(result.shape[1]):
            result[row, k] = present.room[0, k]


@inlined
def _sign(sensor, now, said, rules, present):
    """A sign of life: over how many polls the sensor was silent, about everybody whom it did not name."""
    every = rules.every[sensor]
    if present.signs[sensor] == NEVER:
        if not said:
            return
        since = every
    else:
        since = now - present.signs[sensor]
        if since > rules.longest_gap * every:
            since = every if said else 0
    present.signs[sensor] = now
    if since > 0:
        present.cells[LOUDER] = 1
        polls = since / every
        for place in range(len(present.level)):
            present.level[place] += polls * rules.loud[sensor, place]


@inlined
def _passed(before, units, rules, present):
    """Fill the first row of the room with what is believed after some units of time."""
    states = len(before)
    old, new = present.room[1], present.room[0]
    for k in range(states):
        new[k] = before[k]
    _through(rules.near[units % UNITS], units % UNITS > 0, old, new)
    units //= UNITS
    power = 0
    while units > 0 and power < len(rules.far):
        _through(rules.far[power], units % 2 == 1, old, new)
        units //= 2
        power += 1


@inlined
def _through(matrix, wanted, old, new):
    if wanted:
        states = len(new)
        for k in range(states):
            old[k] = new[k]
            new[k] = 0.0
        for i in range(states):
            share = old[i]
            if share > SMALL:
                for j in range(states):
                    new[j] += share * matrix[i, j]


@inlined
def _quiet(entity, polls, crowd, rules, present):
    """What the silence over whole polls says: who was not heard for half a poll was not asked yet."""
    whole = np.floor(polls)
    if whole < 1.0:
        return
    row = present.room[0]
    share = whole / polls
    least, most = np.inf, 0.0
    for place in range(len(present.level)):
        present.chances[place] = share * (present.level[place] - crowd.level[entity, place])
        least = min(least, present.chances[place])
        most = max(most, present.chances[place])
    if most - least < SMALL:
        return
    for place in range(len(present.level)):
        present.chances[place] = np.exp(least - present.chances[place])
    total = np.float32(0.0)
    for k in range(len(row)):
        row[k] *= np.float32(present.chances[rules.place_of[k]])
        total += row[k]
    if total > 0.0:
        for k in range(len(row)):
            row[k] /= total


@inlined
def _count(entity, until, share, crowd, present):
    """This share of the silence since the last time is counted."""
    crowd.counted[entity] = until
    for place in range(len(present.level)):
        crowd.level[entity, place] += share * (present.level[place] - crowd.level[entity, place])


@inlined
def _bring(entity, now, sensor, crowd, rules, present):
    """One entity to this moment, seen by a sensor, or by none (-1)."""
    units = (now - crowd.time[entity]) // rules.unit
    polls = (now - crowd.counted[entity]) / rules.poll
    for which in range(1 + crowd.apart[entity]):
        rows = crowd.given if which else crowd.believed
        _passed(rows[entity], units, rules, present)
        _quiet(entity, polls, crowd, rules, present)
        if sensor >= 0:
            _hear(polls, sensor, rules, present)
        for k in range(rows.shape[1]):
            rows[entity, k] = present.room[0, k]
    crowd.time[entity] += units * rules.unit
    if sensor >= 0 and _is_home(entity, sensor, crowd, rules):
        _count(entity, now, 1.0, crowd, present)
    elif polls >= 1.0:
        whole = np.floor(polls)
        _count(entity, crowd.counted[entity] + np.int64(whole) * rules.poll, whole / polls, crowd, present)
    _rejoin(entity, crowd)


@inlined
def _is_home(entity, sensor, crowd, rules):
    """Whether it is more likely than not where the sensor listens: its polls are counted from now on."""
    inside = 0.0
    for k in range(crowd.believed.shape[1]):
        if rules.place_of[k] == rules.home[sensor]:
            inside += crowd.believed[entity, k]
    return inside > 0.5


@inlined
def _rejoin(entity, crowd):
    """Where what was told makes no difference any more, it needs no belief of its own."""
    if crowd.apart[entity]:
        widest = 0.0
        for k in range(crowd.believed.shape[1]):
            widest = max(widest, abs(crowd.given[entity, k] - crowd.believed[entity, k]))
        crowd.apart[entity] = widest > TELLING


@inlined
def _hear(polls, sensor, rules, present):
    """The poll that heard it was not silent about it; what could not be is believed all the same."""
    row = present.room[0]
    alive = present.signs[sensor] != NEVER
    undone = np.floor(polls) - max(np.floor(polls + 0.5) - 1.0, 0.0) if alive else 0.0
    total = np.float32(0.0)
    for k in range(len(row)):
        back = np.exp(undone * rules.loud[sensor, rules.place_of[k]])
        row[k] *= rules.chance[sensor, k] * np.float32(back)
        total += row[k]
    if total <= 0.0:
        for k in range(len(row)):
            row[k] = rules.chance[sensor, k]
            total += row[k]
    if total > 0.0:
        for k in range(len(row)):
            row[k] /= total


@inlined
def _tell(entity, now, crowd, rules, present, changes):
    chances = present.chances
    for place in range(len(chances)):
        chances[place] = 0.0
    for k in range(crowd.believed.shape[1]):
        chances[rules.place_of[k]] += crowd.believed[entity, k]
    crowd.sure[entity] = -1
    for place in range(len(chances)):
        if chances[place] >= SURE and not crowd.apart[entity]:
            crowd.sure[entity] = place
        if not crowd.told[entity, place] and chances[place] >= rules.above:
            _change(1, entity, place, now, crowd, rules, present, changes)
    for place in range(len(chances)):
        if crowd.told[entity, place] and chances[place] < rules.below:
            _change(0, entity, place, now, crowd, rules, present, changes)


@part
def _change(entered, entity, place, now, crowd, rules, present, changes):
    """One event; from then on it is taken for true, unless the doubt is too small to remember."""
    believed, given = crowd.believed[entity], crowd.given[entity]
    kept = 0.0
    for k in range(len(believed)):
        if not crowd.apart[entity]:
            given[k] = believed[k]
        if (rules.place_of[k] == place) == (entered == 1):
            kept += given[k]
    at = present.cells[FOUND]
    present.cells[FOUND] = at + 1
    changes.entered[at], changes.ts[at], changes.entity[at] = entered, now, entity
    changes.place[at], changes.prob[at] = place, min(max(kept, LEAST), 1.0)
    crowd.told[entity, place] = entered
    for k in range(len(believed)):
        inside = (rules.place_of[k] == place) == (entered == 1)
        given[k] = np.float32(given[k] / kept) if inside and kept > 0.0 else np.float32(0.0)
    crowd.apart[entity] = kept > 0.0
    _rejoin(entity, crowd)
