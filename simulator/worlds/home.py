"""A home and who lives there: from room to room, out and home again, past a sensor at every door."""

from __future__ import annotations

from collections import deque

from app.place.floor_plan import OUTSIDE
from app.place.household import people
from app.place.simulation import midnight
from simulator.worlds.walking import between
from simulator.worlds.world import MINUTE, SECOND, Agent, World

HOUR = 60 * MINUTE
_LOOK = 5 * SECOND  # how often somebody thinks of doing something else
_APART = 2 * SECOND  # from one who passes a doorway to the next
_NIGHT = (23 * HOUR, 7 * HOUR)
# By kind of room: how often it is chosen by day, and for how many minutes.
_DAY = {"living": (9, 8, 50), "bedroom": (4, 8, 50), "bathroom": (4, 3, 12), OUTSIDE: (3, 40, 180)}


class Home:
    """Everybody lives on by themselves, unless `directed`: an incident or a script says what they do."""

    def __init__(self, world: World) -> None:
        self.world, self._plan = world, world.scenario.plan
        self.roles = {str(one["id"]): str(one.get("role")) for one in people(world.scenario.items)}
        self.at = dict.fromkeys(self.roles, self.room("living"))
        self.directed: set[str] = set()
        self.avoid: dict[str, int] = {}  # rooms that seniors keep out of until then
        self.wet: dict[str, int] = {}  # when water last came to a sensor
        self.last_bath: dict[str, int] = {}  # when each has left the bathroom
        self.life_from = world.now
        self._underway: set[str] = set()
        self._until = {who: world.now + between(world, 1, 20, MINUTE) for who in self.roles}
        self._free: dict[str, int] = {}
        self._doorways = {frozenset(one.between): one.name for one in self._plan.passages}
        for one in people(world.scenario.items):
            world.take(str(one["id"]), one["row"])
            world.go(str(one["id"]), self.at[str(one["id"])])
            world.truth.household.moved(str(one["id"]), self.at[str(one["id"])], world.now)

    def room(self, kind: str) -> str:
        return self._plan.of_kind(kind)[0].name

    def life(self, who: str) -> Agent:
        """From room to room, as the hour has it."""
        while True:
            yield _LOOK
            idle = who not in self.directed and who not in self._underway
            if idle and self.world.now >= max(self._until[who], self.life_from):
                place, stay = self._choose(who)
                if place != self.at[who]:
                    yield from self.walk(who, place)
                self._until[who] = self.world.now + stay

    def take_over(self, who: str) -> Agent:
        """From now on the caller says what they do; whatever is going on with them ends first."""
        while who in self.directed:
            yield SECOND
        self.directed.add(who)
        while who in self._underway:
            yield SECOND

    def let_go(self, who: str, stay: int = 3 * MINUTE) -> None:
        self.directed.discard(who)
        self._until[who] = self.world.now + stay

    def walk(self, who: str, place: str) -> Agent:
        """Through every doorway on the way."""
        self._underway.add(who)
        for there in self._way(self.at[who], place):
            yield from self.pass_through(self.at[who], there)
            if self.at[who] == self.room("bathroom"):
                self.last_bath[who] = self.world.now
            self.at[who] = there
            self.world.go(who, None if there == OUTSIDE else there)
            self.world.truth.household.moved(who, there, self.world.now)
            if there != place:
                yield between(self.world, 4, 9)
        self._underway.discard(who)

    def pass_through(self, here: str, there: str) -> Agent:
        """One at a time; a sensor sees that somebody passes, and which way."""
        doorway = self._doorways.get(frozenset((here, there)))
        if doorway is None:
            return
        start = max(self.world.now + SECOND, self._free.get(doorway, 0))
        self._free[doorway] = start + _APART
        yield start - self.world.now
        self.world.pass_by(doorway, there)

    def inside(self) -> list[str]:
        return [who for who, place in self.at.items() if place != OUTSIDE]

    def seniors(self) -> list[str]:
        return [who for who, role in self.roles.items() if role == "senior"]

    def idle(self, people: list[str]) -> list[str]:
        """Of these, those with whom nothing else is going on."""
        return [who for who in people if who not in self.directed and who not in self._underway]

    def _choose(self, who: str) -> tuple[str, int]:
        """Where to, and for how long. Only one is in the bathroom at a time."""
        moment = self.world.now - midnight(self.world.now, self.world.scenario.timezone)
        if (moment >= _NIGHT[0] or moment < _NIGHT[1]) and self.world.rng.random() < 0.9:
            return self.room("bedroom"), between(self.world, 60, 240, MINUTE)
        kinds = [kind for kind in _DAY if self._may(who, OUTSIDE if kind == OUTSIDE else self.room(kind))]
        kind = self.world.rng.choices(kinds, [_DAY[kind][0] for kind in kinds])[0]
        _, low, high = _DAY[kind]
        stay = between(self.world, low, high, MINUTE)
        if kind == "bathroom" and self.world.haste < 1:  # as quick as a demo's patience is short
            stay = min(stay, self.world.truth.setting("long_in_bathroom", "patience") // 2)
        return OUTSIDE if kind == OUTSIDE else self.room(kind), stay

    def _may(self, who: str, place: str) -> bool:
        if place == self.room("bathroom") and place in self.at.values():
            return False
        return self.roles[who] != "senior" or self.avoid.get(place, 0) <= self.world.now

    def _way(self, start: str, end: str) -> list[str]:
        """The rooms from one to another, the last one included."""
        before: dict[str, str] = {start: start}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            for move in self._plan.moves:
                if here in move:
                    there = move[0] if move[1] == here else move[1]
                    if there not in before:
                        before[there] = here
                        waiting.append(there)
        way = [end]
        while way[0] != start:
            way.insert(0, before[way[0]])
        return way[1:]
