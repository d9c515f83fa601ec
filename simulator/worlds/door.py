"""The library's door: who passes stirs one motion sensor, walks through the gate, and stirs the other."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial

from simulator.worlds.walking import between
from simulator.worlds.world import SECOND, Agent, World

Passing = Generator[int, None, int]  # an agent that says in the end when its passing began
Move = tuple[int, Callable[[], None]]  # after how many milliseconds, and what happens
_DISTANCE = 6 * SECOND  # from the end of one party to the next: those who do not belong together keep apart


class Door:
    """One party passes at a time, its people shortly after each other."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.area = world.scenario.plan.of_kind("door")[0].name
        sides = {one.side: one.name for one in world.scenario.plan.readers if one.area == self.area}
        self._inside, self._outside = sides["inside"], sides["outside"]
        self._free = 0

    def enter(self, party: Sequence[str]) -> Agent:
        yield from self._pass(party, self._outside, self._inside)

    def leave(self, party: Sequence[str]) -> Passing:
        return self._pass(party, self._inside, self._outside)

    def turn_back(self, who: str) -> Agent:
        """Into the gate, and in again."""
        yield from self._pass([who], self._inside, self._inside)

    def _pass(self, party: Sequence[str], first: str, last: str) -> Passing:
        moves = sorted(self._all_moves(party, first, last), key=_moment)
        start = max(self._world.now, self._free)
        self._free = start + moves[-1][0] + _DISTANCE
        for after, move in moves:
            if start + after > self._world.now:
                yield start + after - self._world.now
            move()
        return start

    def _all_moves(self, party: Sequence[str], first: str, last: str) -> Iterator[Move]:
        for number, who in enumerate(party):
            yield from self._moves(who, first, last, number * between(self._world, 0.2, 1))

    def _moves(self, who: str, first: str, last: str, come: int) -> list[Move]:
        """The sensors' zones lie within the gate's field, one at each end."""
        world = self._world
        gate = come + between(world, 0, 0.8)
        through = gate + between(world, 2.5, 3.5)
        beyond = come + between(world, 2.3, 2.9)
        lengths = between(world, 1, 1.5), between(world, 1, 1.5)
        return [
            (gate, partial(world.go, who, self.area)),
            (come + SECOND // 2, partial(world.stir, first, lengths[0])),
            (beyond, partial(world.stir, last, lengths[1])),
            (through, partial(world.go, who, None)),
        ]


def _moment(move: Move) -> int:
    return move[0]
