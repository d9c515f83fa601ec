"""A model as YAML: what `Model.save` writes and `Model.load` reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from sase.belief.world.checks import offer
from sase.belief.world.sensors import Gate, Sensor, Watch

_SENSORS: dict[str, type[Watch] | type[Gate]] = {"watch": Watch, "gate": Gate}
_NEEDED = ("places", "moves", "stays", "sensors")
_KEYS = (*_NEEDED, "shares", "hours", "learned")


def write(path: Path, fields: Mapping[str, Any]) -> None:
    """Write the fields of a model down; what it has not learned is left out."""
    sensors = {name: {_kind(sensor): _plain(asdict(sensor))} for name, sensor in fields["sensors"].items()}
    document = {key: _plain(fields[key]) for key in _KEYS if fields[key] or key in _NEEDED} | {
        "sensors": sensors
    }
    path.write_text(yaml.safe_dump(document, sort_keys=False, allow_unicode=True), encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    """The fields of the model that was written to this file."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(document, dict) or not set(_NEEDED) <= set(document):
        raise ValueError(f"{path.name} is no model: it must have the keys {', '.join(_NEEDED)}")
    unknown = [key for key in document if key not in _KEYS]
    if unknown:
        raise ValueError(f"{path.name}: a model has no {unknown[0]!r}; {offer(unknown[0], _KEYS)}")
    sensors = {name: _sensor(name, given, path) for name, given in (document["sensors"] or {}).items()}
    moves = [tuple(move) for move in document["moves"] or []]
    return document | {"sensors": sensors, "moves": moves}


def _sensor(name: str, given: Any, path: Path) -> Sensor:
    kind, fields = next(iter(given.items())) if isinstance(given, dict) and given else (None, None)
    if kind not in _SENSORS or not isinstance(fields, dict):
        raise ValueError(
            f"{path.name}, sensor {name!r}: write `watch:` or `gate:` and what belongs to it below"
        )
    try:
        return _SENSORS[kind](**fields)
    except TypeError as wrong:
        raise ValueError(f"{path.name}, sensor {name!r}: {wrong}") from wrong


def _kind(sensor: Sensor) -> str:
    return next(kind for kind, sort in _SENSORS.items() if isinstance(sensor, sort))


def _plain(value: Any) -> Any:
    """Only what YAML has words for."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
