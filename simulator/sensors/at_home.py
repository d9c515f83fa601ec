"""What the sensors of a home report: moves between rooms, a camera's guesses, water."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.place.household import people
from app.place.radio import RadioDials
from app.place.scenario import Scenario
from simulator.sensors.chance import Shares, mixed, share
from simulator.sensors.episodes import episodes
from simulator.sensors.reads import NO_READS, Reads, joined
from simulator.worlds.world import SECOND, Column, Presences

LEAK, PASSED, GUESS = -3, -16, -100  # in the place of a tag; PASSED and GUESS are followed by what was seen
LEVELS = (0.55, 0.65, 0.75, 0.85, 0.92)  # how sure a camera may be of the one that it takes somebody for
NO_ONE = 15  # of a camera that sees somebody whom it does not know
_UNKNOWN = 0.03  # a camera always leaves so much to somebody else
_A_STRANGER = 0.7
_LOOK_MS = 30 * SECOND
_DRIP_MS = 60 * SECOND
_TWICE_MS = 300
_FALSE = 10.0  # false triggers of a motion sensor an hour, for each ghost among a radio's reads
_SALT = 7_000


class Guess(NamedTuple):
    """Whom a camera takes somebody for, a number among the people, and how sure it is."""

    who: int
    level: int

    @staticmethod
    def of(code: int) -> Guess:
        return Guess(*divmod(GUESS - code, 16)[::-1])

    @property
    def code(self) -> int:
        return GUESS - self.level * 16 - self.who


def distribution(code: int, names: list[str]) -> dict[str, float]:
    """What the camera says."""
    guess = Guess.of(code)
    if guess.who == NO_ONE:
        return dict.fromkeys(names, round((1 - _A_STRANGER) / len(names), 3))
    top = LEVELS[guess.level]
    rest = round((1 - top - _UNKNOWN) / max(len(names) - 1, 1), 3)
    return {name: top if number == guess.who else rest for number, name in enumerate(names)}


class HomeSensors:
    """Pure: the same seed and presences give the same reports, however time is sliced."""

    def __init__(self, scenario: Scenario, dials: RadioDials, seed: int) -> None:
        plan = scenario.plan
        self._dials, self._salt = dials, seed * 8191 + _SALT
        areas = [area.name for area in plan.areas]
        numbers = {reader.name: number for number, reader in enumerate(plan.readers)}
        self._passages = np.array([numbers[one.name] for one in plan.passages], np.int64)
        self._cameras = [(numbers[one.name], areas.index(one.area)) for one in plan.with_sensor("camera")]
        self._rows = np.array([one["row"] for one in people(scenario.items)], np.int64)

    def heard(self, presences: Presences) -> Reads:
        parts = [self._moves(presences), self._false_moves(presences), self._leaks(presences)]
        parts += [self._guesses(reader, area, presences) for reader, area in self._cameras]
        return joined([NO_READS, *parts])

    def _moves(self, presences: Presences) -> Reads:
        moves = _reads([(ts, reader, PASSED - side) for reader, side, ts in presences.passes])
        luck = self._luck(moves, 1)
        moves, luck = moves.only(luck >= self._dials.misses), luck[luck >= self._dials.misses]
        twice = moves.only(1 - luck < self._dials.repeats)
        return joined([moves, twice._replace(ts=twice.ts + _TWICE_MS)])

    def _false_moves(self, presences: Presences) -> Reads:
        """A curtain, the sun, a cat."""
        often = _FALSE * self._dials.ghosts
        found = episodes(presences.begun, presences.until, len(self._passages), often, self._salt)
        side = (share(found.luck, 1) < 0.5).astype(np.int64)
        return Reads(found.start, self._passages[found.whom], PASSED - side, np.zeros(len(side)))

    def _leaks(self, presences: Presences) -> Reads:
        drips = [
            (ts, reader, LEAK)
            for reader, start, end in presences.spills
            for ts in range(start, end, _DRIP_MS)
            if presences.begun <= ts < presences.until
        ]
        return _reads(drips)

    def _guesses(self, reader: int, area: int, presences: Presences) -> Reads:
        """Of everybody in view now and then; as right as the camera says."""
        looks = [
            (ts, reader, int(np.flatnonzero(self._rows == tag)[0]))
            for tag, start, end in _in_view(presences, area)
            if tag in self._rows
            for ts in _moments(start, end, int(tag), presences)
        ]
        strangers = [
            (ts, reader, Guess(NO_ONE, 0).code)
            for place, start, end in presences.strangers
            if place == area
            for ts in _moments(start, end, NO_ONE, presences)
        ]
        seen = _reads(looks)
        seen = seen.only(self._luck(seen, 2) >= max(self._dials.misses, 0.1))
        luck, others = mixed(self._bits(seen, 3), 3), len(self._rows)
        level = (share(luck, 0) * len(LEVELS)).astype(np.int64)
        wrong = share(luck, 1) >= np.array(LEVELS)[level] / (1 - _UNKNOWN)
        shift = np.where(wrong, 1 + (share(luck, 2) * max(others - 1, 1)).astype(np.int64), 0)
        codes = GUESS - level * 16 - (seen.tag + shift) % others
        return joined([seen._replace(tag=codes), _reads(strangers)])

    def _luck(self, reads: Reads, salt: int) -> Shares:
        return share(mixed(self._bits(reads, salt), salt), 0)

    def _bits(self, reads: Reads, salt: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        keys: Column = reads.tag * 4096 + reads.reader
        return mixed(mixed(keys, self._salt + salt) ^ reads.ts.astype(np.uint64), self._salt + salt)


def _in_view(presences: Presences, area: int) -> list[tuple[int, int, int]]:
    here = presences.area == area
    columns = presences.tag[here], presences.start[here], presences.end[here]
    return [tuple(row) for row in np.column_stack(columns).tolist()]


def _moments(start: int, end: int, phase: int, presences: Presences) -> range:
    """A camera looks at everybody when they come and every half minute from then on."""
    first = start + 2 * SECOND + phase * SECOND
    behind = max(presences.begun - first, 0)
    first += -(-behind // _LOOK_MS) * _LOOK_MS
    return range(first, min(end, presences.until), _LOOK_MS)


def _reads(found: list[tuple[int, int, int]]) -> Reads:
    ts, reader, tag = np.array(found, np.int64).reshape(-1, 3).T
    return Reads(ts, reader, tag, np.zeros(len(found)))
