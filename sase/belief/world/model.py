"""What is known before anything is seen: places, which adjoin, how long one stays, what sensors hear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from sase.belief.world import saving
from sase.belief.world.checks import check, offer
from sase.belief.world.sensors import Sensor
from sase.belief.world.stays import Stays


@dataclass(frozen=True)
class Model:
    """`shares` (of those who leave a place, how many go where), `hours` (who is about at which hour of the
    week) and `learned` (what learning found, in words and figures) are there once a model was learned."""

    places: Mapping[str, str]
    moves: Sequence[tuple[str, str]]
    stays: Mapping[str, Stays]
    sensors: Mapping[str, Sensor]
    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    hours: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    learned: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check(self)

    @staticmethod
    def load(path: str | Path) -> Model:
        """The model that `save` wrote."""
        return Model(**saving.read(Path(path)))

    def save(self, path: str | Path) -> None:
        """Write it down as YAML that people can read and change."""
        saving.write(Path(path), {name.name: getattr(self, name.name) for name in fields(self)})

    def adjoining(self, place: str) -> list[str]:
        """Where one can go from here."""
        ends = [(a, b) if a == place else (b, a) for a, b in self.moves if place in (a, b)]
        return list(dict.fromkeys(other for _, other in ends))

    def place(self, name: Any, where: str) -> str:
        """The name, if it is a place's."""
        if name not in self.places:
            raise ValueError(f"{where}: there is no place {name!r}; {offer(name, self.places)}")
        return str(name)

    def sensor(self, name: Any, where: str) -> Sensor:
        found = self.sensors.get(name) if isinstance(name, str) else None
        if found is None:
            raise ValueError(f"{where}: there is no sensor {name!r}; {offer(name, self.sensors)}")
        return found
