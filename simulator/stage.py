"""Incidents on demand: the sentences of a script, and commands that arrive from outside at any moment."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from app.script import Action, sentence
from app.simulation import midnight
from sase.duration import milliseconds
from simulator import shoppers
from simulator.cast import Cast
from simulator.world import MINUTE, SECOND, Agent

Words = Mapping[str, str]


class CommandError(ValueError):
    """A command that cannot be played; the message says what would be understood."""


def rehearse(cast: Cast, script: tuple[Action, ...], nominal_start: int) -> None:
    """Every sentence at its time of the first day; a world begun at another time plays it shifted."""
    world = cast.world
    day = midnight(nominal_start, world.scenario.timezone)
    for action in script:
        at = world.now + (day + action.at - nominal_start)
        world.begin(_later(cast, action), at)


def command(cast: Cast, payload: str) -> str:
    """Play what a message asks for, now; the answer is what has been begun."""
    try:
        message = json.loads(payload)
    except ValueError:
        raise CommandError('a command is JSON, such as {"incident": "shoplift"}') from None
    if not isinstance(message, dict) or not {"incident", "script"} & message.keys():
        raise CommandError('a command has "incident" (a word) or "script" (a sentence)')
    if "script" in message:
        return _sentence(cast, str(message["script"]))
    return _incident(cast, message)


def _sentence(cast: Cast, text: str) -> str:
    found = sentence(text)
    if found is None:
        raise CommandError(f"no sentence of a script: {text!r}")
    cast.world.begin(_later(cast, Action(0, *found)))
    return text


def _incident(cast: Cast, message: Mapping[str, object]) -> str:
    role = str(message["incident"]).replace("-", "_")
    if role == "reader_down" and "reader" in message:
        return _sentence(
            cast, f"reader {message['reader']} goes down for {message.get('seconds', 300)} seconds"
        )
    if role not in cast.roles():
        raise CommandError(f"unknown incident {message['incident']!r}: one of {', '.join(cast.roles())}")
    agent = shoppers.thief(cast.world, linger=(1, 3)) if role == "shoplift" else cast.agent(role)
    cast.world.begin(agent)
    return role


def _later(cast: Cast, action: Action) -> Agent:
    """Words are looked up when the moment comes: who and what is there is not known before."""
    try:
        yield from _VERBS[action.verb](cast, action.words)
    except (KeyError, IndexError, StopIteration, ValueError) as error:
        raise CommandError(f"cannot {action.verb} {dict(action.words)}: {error!r} is not there") from error


def _enter(_cast: Cast, _words: Words) -> Agent:
    yield SECOND


def _walk(cast: Cast, words: Words) -> Agent:
    yield from shoppers.walk(cast.world, words["who"], words["area"])


def _take(cast: Cast, words: Words) -> Agent:
    yield from shoppers.walk(cast.world, words["who"], words["area"])
    yield from shoppers.sweep(cast.world, words["who"], words["product"], int(words.get("count", 1)))


def _try(cast: Cast, words: Words) -> Agent:
    yield from shoppers.walk(cast.world, words["who"], words["area"])


def _hide(cast: Cast, words: Words) -> Agent:
    cast.world.hide(words["who"], _carried(cast, words))
    yield SECOND


def _put(cast: Cast, words: Words) -> Agent:
    yield from shoppers.walk(cast.world, words["who"], words["area"])
    cast.world.put_down(words["who"], _carried(cast, words), words["area"])


def _pay(cast: Cast, words: Words) -> Agent:
    yield from shoppers.pay_at(cast.world, words["who"], words["area"])


def _leave(cast: Cast, words: Words) -> Agent:
    yield from shoppers.go_out(cast.world, words["who"], words["area"])


def _restock(cast: Cast, words: Words) -> Agent:
    world, stock = cast.world, cast.world.scenario.plan.of_kind("stock")[0].name
    yield from shoppers.walk(world, words["who"], stock)
    yield from shoppers.sweep(world, words["who"], words["product"], int(words.get("count", 1)))
    yield from shoppers.shelve(world, words["who"])


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
    return next(tag for tag in cast.world.carried[words["who"]] if products[tag] == words["product"])


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
