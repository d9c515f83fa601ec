"""Reads sightings, dicts or Arrow, one by one; what is wrong with one is told in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from sase.belief.world.checks import offer, probability
from sase.belief.world.model import Model
from sase.belief.world.sensors import Gate


@dataclass(frozen=True, slots=True)
class Sighting:
    """One row: `who` maps those whom it may be about to probabilities; None: it says nothing of that."""

    ts: int
    sensor: str
    who: Mapping[str, float] | None
    to: str | None
    sure: float


def sightings(rows: Any, model: Model, known: Mapping[str, int]) -> Iterator[Sighting]:
    """The rows one by one; `known` are the names of the entities."""
    for number, row in enumerate(dicts(rows), 1):
        yield _sighting(row, f"sighting {number}", model, known)


def dicts(rows: Any) -> Iterable[Mapping[str, Any]]:
    """Rows that came as dicts, as a record batch or as a table."""
    if isinstance(rows, pa.RecordBatch | pa.Table):
        return list(rows.to_pylist())
    return [rows] if isinstance(rows, Mapping) else list(rows)


def moment(value: Any, where: str) -> int:
    """A time in whole milliseconds."""
    whole = isinstance(value, float) and value.is_integer()
    if not whole and (isinstance(value, bool) or not hasattr(value, "__index__")):
        raise ValueError(f"{where}: ts must be a whole number of milliseconds, not {value!r}")
    return int(value)


def backwards(ts: int, clock: int, where: str) -> ValueError:
    return ValueError(f"{where}: time goes back, from {clock} to {ts}; sort what is seen by ts first")


def entity(name: Any, where: str, known: Mapping[str, int]) -> str:
    """The name, if it is an entity's."""
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"{where}: there is no entity {name!r}; {offer(name, known)}")
    return name


def _sighting(row: Mapping[str, Any], where: str, model: Model, known: Mapping[str, int]) -> Sighting:
    given = {key: value for key, value in row.items() if value is not None}
    if "ts" not in given:
        raise ValueError(f"{where}: it has no ts; say when it was, in milliseconds")
    ts = moment(given["ts"], where)
    sensor = model.sensor(given.get("sensor"), where)
    to = _target(given.get("to"), given["sensor"], sensor, where, model)
    sure = probability(given.get("sure", 1.0), f"{where}, sure")
    return Sighting(ts, given["sensor"], _who(given, where, known), to, sure)


def _who(given: Mapping[str, Any], where: str, known: Mapping[str, int]) -> Mapping[str, float] | None:
    if "entity" in given and "entities" in given:
        raise ValueError(f"{where}: it has both an entity and entities; give the one or the other")
    if "entity" in given:
        return {entity(given["entity"], where, known): 1.0}
    if "entities" not in given:
        return None
    # Arrow gives a map as pairs, and a struct with a null where a row has no such name.
    pairs = [(name, share) for name, share in dict(given["entities"]).items() if share is not None]
    who = {entity(name, where, known): probability(share, f"{where}, {name!r}") for name, share in pairs}
    if sum(who.values()) > 1 + 1e-9:
        raise ValueError(f"{where}: the probabilities of its entities add up to more than 1")
    return who


def _target(to: Any, name: str, sensor: Any, where: str, model: Model) -> str | None:
    if to is None:
        return None
    if not isinstance(sensor, Gate):
        raise ValueError(f"{where}: {name!r} is a Watch; only what a Gate sees goes `to` a place")
    if model.place(to, where) not in (sensor.a, sensor.b):
        raise ValueError(
            f"{where}: {to!r} does not adjoin {name!r}, which is between {sensor.a!r} and {sensor.b!r}"
        )
    return str(to)
