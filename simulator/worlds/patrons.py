"""People in a library: those who read, borrow and return, and those who steal, forget, confuse or exceed."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.worlds.library import Library
from simulator.worlds.walking import between, bring_home, leave_astray, one_of, pause, put_back, take, walk
from simulator.worlds.world import MINUTE, Agent


def patron(library: Library) -> Agent:
    """Reads here, or borrows at the counter; some think of the counter only in the middle of the door."""
    rng = library.world.rng
    for who in library.guests(1, lambda name: library.room(name) > 0):
        if rng.random() < 0.4:
            yield from _read(library, who)
        else:
            yield from collect(library, [who], min(library.room(who), rng.randint(1, 3)))
            if rng.random() < 0.2:
                yield from turn_back(library, who)
            yield from library.borrow(who)
        yield from library.leave([who])


def turbo(library: Library) -> Agent:
    """Walks out with card and books: that is a loan too."""
    for who in library.guests(1, lambda name: library.room(name) > 0):
        yield from collect(library, [who], min(library.room(who), library.world.rng.randint(1, 2)))
        yield from library.leave([who])


def couple(library: Library) -> Agent:
    """Two who leave together with what one of them has borrowed at the counter, or with nothing."""
    party = library.guests(2, lambda name: library.room(name) > 0)
    if party:
        yield from collect(library, party, library.world.rng.randint(0, 1))
        if library.books(party[0]):
            yield from library.borrow(party[0])
        yield from library.leave(party)


def returner(library: Library) -> Agent:
    """Brings back some of what was borrowed."""
    world = library.world
    for who in library.guests(1, lambda name: bool(world.truth.loans.of(name))):
        books = world.truth.loans.of(who)[: world.rng.randint(1, 3)]
        yield from library.come([who], books=books)
        yield from library.give_back(who, books, one_of(world, "returns"))
        yield from library.leave([who])


def booklifter(library: Library) -> Agent:
    """A stranger who steals, or a patron who has forgotten the card at home and the counter too."""
    rng = library.world.rng
    known = library.guests(1, lambda _: True) if rng.random() < 0.3 else []
    party = known or [library.world.name("visitor")]
    yield from collect(library, party, rng.randint(1, 2), with_cards=False)
    yield from library.leave(party)


def confusers(library: Library) -> Agent:
    """Two who walk out side by side with a book that is nobody's yet."""
    party = library.guests(2, lambda name: library.room(name) > 0)
    if party:
        yield from collect(library, party, 1)
        yield from library.leave(party)


def exceeder(library: Library) -> Agent:
    """One book more than the limit allows, at the counter or straight through the door."""
    for who in library.guests(1, lambda name: 0 <= library.room(name) <= 2 and library.is_modest(name)):
        library.has_exceeded(who)
        yield from collect(library, [who], library.room(who) + 1)
        if library.world.rng.random() < 0.5:
            yield from library.borrow(who)
        yield from library.leave([who])


def misplacer(library: Library) -> Agent:
    """Carries a book about and leaves it on a foreign shelf."""
    for who in library.guests(1, lambda _: True):
        yield from library.come([who])
        yield from leave_astray(library.world, who)
        yield from library.leave([who])


def brief_misplacer(library: Library) -> Agent:
    """The same, but a librarian brings it home before anybody needs to know."""
    world = library.world
    for who in library.guests(1, lambda _: True):
        yield from library.come([who])
        strays = yield from leave_astray(world, who)
        world.begin(bring_home(world, strays), world.now + between(world, 2, 5, MINUTE))
        yield from library.leave([who])


# The parts of a visit, which scripts use as well


def collect(library: Library, party: Sequence[str], count: int, with_cards: bool = True) -> Agent:
    """In, and so many books from a shelf, carried by the first of the party."""
    yield from library.come(party, with_cards)
    yield from library.look_round(party)
    take(library.world, party[0], count)


def turn_back(library: Library, who: str) -> Agent:
    """As far as the door, and in again."""
    library.world.go(who, None)
    yield between(library.world, 5, 15)
    yield from library.door.turn_back(who)


def _read(library: Library, who: str) -> Agent:
    """A book from the shelf to the reading corner and back; a borrowed one may be carried about meanwhile."""
    world = library.world
    own = world.truth.loans.of(who)[:1] if world.rng.random() < 0.3 else []
    yield from library.come([who], books=own)
    yield from library.look_round([who])
    taken = take(world, who, 1)
    yield from walk(world, who, one_of(world, "reading"))
    yield pause(world, 3, 20, MINUTE)
    for book in taken:
        yield from put_back(world, who, book)
