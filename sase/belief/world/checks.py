"""What a model may say; what it may not is told in words: what is wrong, where, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sase.belief.world.sensors import Gate, Sensor, Watch
from sase.belief.world.stays import duration, phases
from sase.errors import did_you_mean

if TYPE_CHECKING:
    from sase.belief.world.model import Model


def check(model: Model) -> None:
    if not model.places:
        raise ValueError("the model has no places; name at least one, such as places={'LR': 'room'}")
    _check_moves(model)
    _check_stays(model)
    for name, sensor in model.sensors.items():
        _check_sensor(model, name, sensor)
    for place, shares in model.shares.items():
        _check_shares(model, place, shares)


def probability(value: Any, where: str) -> float:
    """A number from 0 to 1."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise ValueError(f"{where}: {value!r} is no probability; write a number from 0 to 1")
    return float(value)


def offer(name: Any, known: Iterable[str]) -> str:
    """What could have been meant instead of a name that is not known."""
    names = list(known)
    return did_you_mean(str(name), names) or f"there is {', '.join(names[:10]) or 'none at all'}"


def _check_moves(model: Model) -> None:
    for number, move in enumerate(model.moves, 1):
        where = f"move {number}"
        if isinstance(move, str) or len(move) != 2:
            raise ValueError(f"{where}: {move!r} is no pair of places; write one such as ('LR', 'BR')")
        a, b = (model.place(name, where) for name in move)
        if a == b:
            raise ValueError(f"{where}: {a!r} cannot adjoin itself; name two places")


def _check_stays(model: Model) -> None:
    kinds = set(model.places.values())
    for kind, stays in model.stays.items():
        if kind not in kinds:
            raise ValueError(f"stays: no place is of the kind {kind!r}; {offer(kind, sorted(kinds))}")
        phases(stays, f"stays of {kind!r}")
    for place, kind in model.places.items():
        if kind not in model.stays:
            raise ValueError(
                f"place {place!r}: nothing says how long one stays in a place of kind {kind!r}; "
                f"add it to stays, such as stays={{{kind!r}: '20 minutes'}}"
            )


def _check_sensor(model: Model, name: str, sensor: Sensor) -> None:
    where = f"sensor {name!r}"
    if isinstance(sensor, Watch):
        model.place(sensor.place, where)
        probability(sensor.hit, f"{where}, hit")
        duration(sensor.every, f"{where}, every")
        for place, stray in sensor.stray.items():
            probability(stray, f"{where}, stray of {model.place(place, where)!r}")
        if sensor.place in sensor.stray:
            raise ValueError(f"{where}: {sensor.place!r} is its own place: what it hears there is its hit")
    elif isinstance(sensor, Gate):
        _check_adjoining(model, model.place(sensor.a, where), model.place(sensor.b, where), where)
        probability(sensor.hit, f"{where}, hit")
    else:
        raise ValueError(f"{where}: {sensor!r} is neither a Watch nor a Gate")


def _check_shares(model: Model, place: str, shares: Mapping[str, float]) -> None:
    where = f"shares of {model.place(place, 'shares')!r}"
    for target, share in shares.items():
        _check_adjoining(model, place, model.place(target, where), where)
        probability(share, f"{where}, {target!r}")
    if abs(sum(shares.values()) - 1) > 1e-6:
        raise ValueError(f"{where}: they add up to {sum(shares.values()):g}; they must add up to 1")


def _check_adjoining(model: Model, a: str, b: str, where: str) -> None:
    if b not in model.adjoining(a):
        raise ValueError(f"{where}: {a!r} and {b!r} do not adjoin; add ({a!r}, {b!r}) to moves")
