"""The verbs of a library's script: each is a whole errand, from the door to the shelf and out again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from simulator.staging.cast import Cast
from simulator.worlds import patrons
from simulator.worlds.library import Library
from simulator.worlds.walking import between, walk
from simulator.worlds.world import Agent

Words = Mapping[str, str]
Verb = Callable[[Cast, Words], Agent]


def _steal(cast: Cast, words: Words) -> Agent:
    """Without the card, whoever it is."""
    library = _library(cast)
    yield from _fetch(library, [words["who"]], words["book"], with_cards=False)
    yield from library.leave([words["who"]])


def _walk_out(cast: Cast, words: Words) -> Agent:
    library = _library(cast)
    who = _patron(library, words["who"])
    yield from _fetch(library, [who], words["book"])
    yield from library.leave([who])


def _pair(cast: Cast, words: Words) -> Agent:
    library = _library(cast)
    party = [_patron(library, words["who"]), _patron(library, words["other"])]
    yield from _fetch(library, party, words["book"])
    yield from library.leave(party)


def _borrow(cast: Cast, words: Words) -> Agent:
    library = _library(cast)
    who = _patron(library, words["who"])
    yield from _fetch(library, [who], words["book"])
    yield from library.borrow(who)
    yield from library.leave([who])


def _turn_back(cast: Cast, words: Words) -> Agent:
    library = _library(cast)
    who = _patron(library, words["who"])
    yield from _fetch(library, [who], words["book"])
    yield from patrons.turn_back(library, who)
    yield from library.borrow(who)
    yield from library.leave([who])


def _give_back(cast: Cast, words: Words) -> Agent:
    library = _library(cast)
    who, book = _patron(library, words["who"]), library.world.tag_of[words["book"]]
    if book not in library.world.truth.loans.of(who):
        raise LookupError(f"{who} has not borrowed {words['book']}")
    yield from library.come([who], books=[book])
    yield from library.give_back(who, [book], words["area"])
    yield from library.leave([who])


def _shelve(cast: Cast, words: Words) -> Agent:
    """Staff bring a book to a shelf, be it the right one or not."""
    library, who = _library(cast), words["who"]
    yield from _pick_up(library, who, words["book"])
    yield from walk(library.world, who, words["area"])
    yield between(library.world, 3, 8)
    library.world.put_down(who, library.world.tag_of[words["book"]], words["area"])
    library.world.vanish(who)


def _fetch(library: Library, party: Sequence[str], book: str, with_cards: bool = True) -> Agent:
    """In, and the book from where it stands."""
    yield from library.come(party, with_cards)
    yield from _pick_up(library, party[0], book)


def _pick_up(library: Library, who: str, book: str) -> Agent:
    world, row = library.world, library.world.tag_of[book]
    areas = [area.name for area in world.scenario.plan.areas if row in world.at(area.name)]
    if not areas:
        raise LookupError(f"{book} is not there for the taking")
    yield from walk(world, who, areas[0])
    yield between(world, 3, 8)
    world.take(who, row)


def _library(cast: Cast) -> Library:
    if cast.library is None:
        raise ValueError("that happens in a library")
    return cast.library


def _patron(library: Library, who: str) -> str:
    if who not in library.cards:
        raise LookupError(f"no patron is called {who}")
    return who


LIBRARY_VERBS: dict[str, Verb] = {
    "steal": _steal,
    "walk_out": _walk_out,
    "pair": _pair,
    "borrow": _borrow,
    "turn_back": _turn_back,
    "give_back": _give_back,
    "shelve": _shelve,
}
