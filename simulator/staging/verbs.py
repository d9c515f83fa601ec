"""What the sentences of a script mean: one agent for each verb."""

from __future__ import annotations

from sase.language.duration import milliseconds
from simulator.staging.cast import Cast
from simulator.staging.home_verbs import HOME_VERBS, go_to
from simulator.staging.library_verbs import LIBRARY_VERBS, Verb, Words
from simulator.worlds import shoppers, walking
from simulator.worlds.world import MINUTE, SECOND, Agent


def _enter(cast: Cast, words: Words) -> Agent:
    if cast.library:
        yield from cast.library.come([words["who"]])
    yield SECOND


def _walk(cast: Cast, words: Words) -> Agent:
    if cast.home:
        return go_to(cast.home, words["who"], words["area"])
    return walking.walk(cast.world, words["who"], words["area"])


def _take(cast: Cast, words: Words) -> Agent:
    yield from walking.walk(cast.world, words["who"], words["area"])
    yield from shoppers.sweep(cast.world, words["who"], words["product"], int(words.get("count", 1)))


def _try(cast: Cast, words: Words) -> Agent:
    yield from walking.walk(cast.world, words["who"], words["area"])


def _hide(cast: Cast, words: Words) -> Agent:
    cast.world.hide(words["who"], _carried(cast, words))
    yield SECOND


def _put(cast: Cast, words: Words) -> Agent:
    yield from walking.walk(cast.world, words["who"], words["area"])
    cast.world.put_down(words["who"], _carried(cast, words), words["area"])


def _pay(cast: Cast, words: Words) -> Agent:
    yield from shoppers.pay_at(cast.world, words["who"], words["area"])


def _leave(cast: Cast, words: Words) -> Agent:
    if cast.library:
        yield from cast.library.leave([words["who"]])
    else:
        yield from shoppers.go_out(cast.world, words["who"], words["area"])


def _restock(cast: Cast, words: Words) -> Agent:
    world, stock = cast.world, cast.world.scenario.plan.of_kind("stock")[0].name
    yield from walking.walk(world, words["who"], stock)
    yield from shoppers.sweep(world, words["who"], words["product"], int(words.get("count", 1)))
    yield from walking.shelve(world, words["who"])


def _dose(cast: Cast, words: Words) -> Agent:
    ward = cast.ward
    if ward is None:
        raise ValueError("a ward")
    bottle = ward.bottle(words.get("owner", words["who"]), words["medicine"])
    yield from ward.visit(words["who"], [bottle], words["area"])


def _skip(cast: Cast, words: Words) -> Agent:
    if cast.ward is None:
        raise ValueError("a ward")
    cast.ward.skipped.add((words["who"], words["medicine"]))
    yield SECOND


def _down(cast: Cast, words: Words) -> Agent:
    cast.world.fail(words["reader"], milliseconds(words["length"]) or MINUTE)
    yield SECOND


def _carried(cast: Cast, words: Words) -> int:
    products = cast.world.rows["product"]
    found = [tag for tag in cast.world.carried[words["who"]] if products[tag] == words["product"]]
    if not found:
        raise LookupError(f"{words['who']} carries no {words['product']}")
    return found[0]


VERBS: dict[str, Verb] = {
    "enter": _enter,
    "walk": _walk,
    "take": _take,
    "try": _try,
    "hide": _hide,
    "put": _put,
    "pay": _pay,
    "leave": _leave,
    "restock": _restock,
    "dose": _dose,
    "skip": _skip,
    "down": _down,
    **LIBRARY_VERBS,
    **HOME_VERBS,
}
