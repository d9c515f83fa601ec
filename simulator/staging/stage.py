"""Incidents on demand: the sentences of a script, and commands that arrive from outside at any moment."""

from __future__ import annotations

import json
from collections.abc import Mapping

from app.place.script import Action, sentence
from app.place.simulation import midnight
from simulator.staging.cast import Cast
from simulator.staging.verbs import VERBS
from simulator.worlds.world import MINUTE, Agent

_KINDS = {"incident", "script", "speed", "noise", "unplug", "plug"}
_MOST = 10_000.0
_FOR_GOOD = 366 * 24 * 60 * MINUTE
_CURTAIN = 45 * MINUTE  # after the last sentence


class CommandError(ValueError):
    """A command that cannot be played; the message says what would be understood."""


def rehearse(cast: Cast, script: tuple[Action, ...], nominal_start: int) -> None:
    """Every sentence at its time of the first day; a world begun at another time plays it shifted."""
    world = cast.world
    day = midnight(nominal_start, world.scenario.timezone)
    for action in script:
        at = world.now + (day + action.at - nominal_start)
        world.begin(_later(cast, action), at)
        if cast.home:  # those who live there leave the stage to the script
            cast.home.life_from = max(cast.home.life_from, at + _CURTAIN)


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
    if "unplug" in said or "plug" in said:
        return _plug(cast, said)
    return _sentence(cast, str(said["script"])) if "script" in said else _incident(cast, said)


def _plug(cast: Cast, said: Mapping[str, object]) -> str:
    reader = str(said.get("unplug", said.get("plug")))
    if reader not in {one.name for one in cast.world.scenario.plan.readers}:
        raise CommandError(f"there is no reader {reader!r} here")
    if "unplug" in said:
        cast.world.fail(reader, _FOR_GOOD)
        return f"unplug {reader}"
    cast.world.mend(reader)
    return f"plug {reader}"


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
    if role == "missed_dose" and "bottle" in said:
        return _missed(cast, str(said["bottle"]))
    if role not in cast.roles():
        raise CommandError(f"unknown incident {said['incident']!r}: one of {', '.join(cast.roles())}")
    cast.world.begin(cast.staged(role))
    return role


def _missed(cast: Cast, bottle: str) -> str:
    try:
        cast.world.begin(cast.staged_dose(bottle))
    except LookupError as error:
        raise CommandError(str(error.args[0])) from error
    return "missed_dose"


def _later(cast: Cast, action: Action) -> Agent:
    """Words are looked up when the moment comes: who and what is there is not known before."""
    try:
        yield from VERBS[action.verb](cast, action.words)
    except (LookupError, ValueError) as error:
        words = " ".join(action.words.values())
        raise CommandError(f"cannot play '{action.verb} {words}': {error}") from error
