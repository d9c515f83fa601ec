"""Incidents on demand: the sentences of a script, and commands that arrive from outside at any moment."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from app.place.script import Action, sentence
from app.place.simulation import midnight
from sase.language.duration import milliseconds
from simulator.staging.cast import Cast
from simulator.worlds import shoppers, walking
from simulator.worlds.world import MINUTE, SECOND, Agent

Words = Mapping[str, str]
_KINDS = {"incident", "script", "speed", "noise"}
_MOST = 10_000.0


class CommandError(ValueError):
    """A command that cannot be played; the message says what would be understood."""


def rehearse(cast: Cast, script: tuple[Action, ...], nominal_start: int) -> None:
    """Every sentence at its time of the first day; a world begun at another time plays it shifted."""
    world = cast.world
    day = midnight(nominal_start, world.scenario.timezone)
    for action in script:
        at = world.now + (day + action.at - nominal_start)
        world.begin(_later(cast, action), at)


def message(payload: str) -> Mapping[str, object]:
    """What a command says, or CommandError."""
    try:
        said = json.loads(payload)
    except ValueError:
        raise CommandError('a command is JSON, such as {"incident": "shoplift"}') from None
    if not isinstance(said, dict) or not _KINDS & said.keys():
        raise CommandError(f"a command has one of {', '.join(sorted(_KINDS))}")
    return said


def positive(given: object, least: float = 0.01) -> float:
    if not isinstance(given, int | float) or isinstance(given, bool) or not least <= given <= _MOST:
        raise CommandError(f"{given!r}: a number from {least:g} to {_MOST:g} expected")
    return float(given)


def command(cast: Cast, said: Mapping[str, object]) -> str:
    """Play what a message asks for, now; the answer is what has been begun."""
    return _sentence(cast, str(said["script"])) if "script" in said else _incident(cast, said)


def _sentence(cast: Cast, text: str) -> str:
    found = sentence(text)
    if found is None:
        raise CommandError(f"no sentence of a script: {text!r}")
    cast.world.begin(_later(cast, Action(0, *found)))
    return text


def _incident(cast: Cast, said: Mapping[str, object]) -> str:
    role = str(said["incident"]).replace("-", "_")
    if role == "reader_down" and "reader" in said:
        return _sentence(cast, f"reader {said['reader']} goes down for {said.get('seconds', 300)} seconds")
    if role not in cast.roles():
        raise CommandError(f"unknown incident {said['incident']!r}: one of {', '.join(cast.roles())}")
    cast.world.begin(cast.agent(role, hurry=True))
    return role


def _later(cast: Cast, action: Action) -> Agent:
    """Words are looked up when the moment comes: who and what is there is not known before."""
    try:
        yield from _VERBS[action.verb](cast, action.words)
    except (LookupError, ValueError) as error:
        words = " ".join(action.words.values())
        raise CommandError(f"cannot play '{action.verb} {words}': {error}") from error


def _enter(_cast: Cast, _words: Words) -> Agent:
    yield SECOND


def _walk(cast: Cast, words: Words) -> Agent:
    yield from walking.walk(cast.world, words["who"], words["area"])


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


_VERBS: dict[str, Callable[[Cast, Words], Agent]] = {
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
}
