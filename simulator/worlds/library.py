"""What the people of a library share: its door, its counter, and who is in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simulator.worlds.door import Door
from simulator.worlds.walking import between, one_of, pause, walk
from simulator.worlds.world import MINUTE, SECOND, Agent, World

_HURRIED = 12 * SECOND  # who turns on the heel is in the door before the shelf has read the book
_LINGER = (20, 90)  # seconds at a shelf
_AWAY = 10 * MINUTE  # nobody comes back sooner


class Library:
    """Patrons come in parties of one or two, by the names of their cards; a stranger has none."""

    def __init__(self, world: World) -> None:
        self.world, self.door = world, Door(world)
        kinds = enumerate(zip(world.rows["kind"], world.rows["id"], strict=True))
        self.cards = {name: row for row, (kind, name) in kinds if kind == "patron"}
        self.returns = [area.name for area in world.scenario.plan.of_kind("returns")]
        self._scanner = world.scenario.plan.with_sensor("barcode")[0].name
        self._counter = world.scenario.plan.of_kind("counter")[0].name
        self._free = 0
        self._inside: set[str] = set()
        self._away: set[str] = set()
        self._exceeded: set[str] = set()
        self._promised = _promised(world)
        world.reserved.update(world.tag_of[name] for name in self._promised & world.tag_of.keys())
        self._settle()

    def guests(self, count: int, fits: Callable[[str], bool]) -> list[str]:
        """Patrons who are not here and may come; none if there are not enough."""
        busy = self._inside | self._away | self._promised
        free = [name for name in self.cards if name not in busy and fits(name)]
        return self.world.rng.sample(free, count) if len(free) >= count else []

    def room(self, patron: str) -> int:
        return self.world.truth.loans.room(patron)

    def is_modest(self, patron: str) -> bool:
        """Whether the patron has never yet wanted too much: nobody does so twice."""
        return patron not in self._exceeded

    def has_exceeded(self, patron: str) -> None:
        self._exceeded.add(patron)

    def come(self, party: Sequence[str], with_cards: bool = True, books: Sequence[int] = ()) -> Agent:
        """In by the door; `books` from home are carried by the first."""
        if not self._inside.isdisjoint(party):
            raise LookupError(f"{' or '.join(party)} is in already")
        self._inside.update(party)
        for who in party:
            if with_cards and who in self.cards:
                self.world.take(who, self.cards[who])
        for book in books:
            self.world.take(party[0], book)
        yield from self.door.enter(party)

    def look_round(self, party: Sequence[str]) -> Agent:
        """To a shelf, together."""
        shelf = one_of(self.world, "shelf")
        for who in party[1:]:
            self.world.go(who, None)
        yield from walk(self.world, party[0], shelf)
        for who in party[1:]:
            self.world.go(who, shelf)
        yield _HURRIED if self.world.stories.is_told else pause(self.world, *_LINGER)

    def leave(self, party: Sequence[str]) -> Agent:
        """Out by the door, together."""
        length = between(self.world, *((3, 6) if self.world.stories.is_told else (5, 15)))
        for who in party:
            self.world.go(who, None)
            self.world.head_for(who, self.door.area, length)
        yield length
        began = yield from self.door.leave(party)
        cards = [who for who in party if self.cards.get(who) in self.world.carried[who]]
        books = [book for who in party for book in self.books(who)]
        self.world.truth.loans.left(cards, books, began)
        for who in party:
            self.world.vanish(who)
        self._inside.difference_update(party)
        self._away.update(party)
        yield _AWAY
        self._away.difference_update(party)

    def books(self, who: str) -> list[int]:
        return [row for row in self.world.carried[who] if self.world.rows["kind"][row] == "book"]

    def borrow(self, who: str) -> Agent:
        """At the counter: the card, then every book that is not borrowed yet."""
        books = [book for book in self.books(who) if book not in self.world.truth.loans.of(who)]
        yield from self._queue(who, len(books))
        self.world.scan(self._scanner, self.cards[who])
        for book in books:
            yield between(self.world, 2, 4)
            self.world.scan(self._scanner, book)
            self.world.truth.loans.borrowed(who, book, self.world.now)
        yield between(self.world, 2, 4)

    def give_back(self, who: str, books: Sequence[int], area: str) -> Agent:
        """Into the return box, or onto the desk where returns are laid."""
        yield from walk(self.world, who, area)
        for book in books:
            yield between(self.world, 2, 5)
            self.world.put_down(who, book, area)
            self.world.truth.loans.returned(book)

    def _queue(self, who: str, books: int) -> Agent:
        """To the counter as soon as it is free for so many books."""
        start = max(self.world.now, self._free)
        self._free = start + (40 + 4 * books) * SECOND
        self.world.go(who, None)
        yield start - self.world.now
        yield from walk(self.world, who, self._counter)
        yield between(self.world, 3, 6)

    def _settle(self) -> None:
        """Every book that is not out on loan stands where it belongs."""
        for row, kind in enumerate(self.world.rows["kind"]):
            if kind == "book" and not self.world.rows["loaned_to"][row]:
                self.world.put(row, self.world.rows["home"][row])


def _promised(world: World) -> set[str]:
    """Whom and what the script needs: chance leaves them alone."""
    simulation = world.scenario.simulation
    return {word for action in simulation.script for word in action.words.values()} if simulation else set()
