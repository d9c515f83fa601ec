"""Those who work in a library: they bring back to the shelves what has been given back."""

from __future__ import annotations

from simulator.worlds.library import Library
from simulator.worlds.walking import between, leave_astray, one_of, shelve, walk
from simulator.worlds.world import Agent

_ARMFUL = 8


def reshelver(library: Library) -> Agent:
    """Empties the return box and the desk beside it, sorts, and brings everything home."""
    world, who = library.world, library.world.name("staff")
    for area in library.returns:
        yield from walk(world, who, area)
        yield between(world, 5, 15)
        for book in world.at(area)[:_ARMFUL]:
            world.take(who, book)
    yield from walk(world, who, one_of(world, "stock"))
    yield between(world, 60, 180)
    yield from shelve(world, who)
    world.vanish(who)


def careless_librarian(library: Library) -> Agent:
    """Tidies up a shelf and puts one of its books on another."""
    who = library.world.name("staff")
    yield from leave_astray(library.world, who)
    library.world.vanish(who)
