"""A demo that changes its place: somebody asks in the pages, and `vigil demo` plays the other place."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from app.place import scenario
from app.place.find import SCENARIOS
from app.store.actor import Actor, require

FILE = "elsewhere.txt"


class NoSuchPlaceError(Exception):
    """There is no such place to go to."""


class PlaceChange(Exception):
    """The demo is asked to play another place."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@cache
def choices() -> dict[str, str]:
    """The places that come with Vigil and can be played, with their titles."""
    found = {path.stem: scenario.load(path) for path in sorted(SCENARIOS.glob("*.yaml"))}
    return {name: one.title for name, one in found.items() if one.simulation is not None}


def ask(folder: Path, actor: Actor, name: str) -> None:
    """Ask the demo whose data lie in the folder to go to another place."""
    require(actor, "staff", "take the demo elsewhere")
    if name not in choices():
        raise NoSuchPlaceError(f"there is no place {name} to go to: one of {', '.join(choices())}")
    fresh = folder / f"{FILE}.new"
    fresh.write_text(name)
    fresh.replace(folder / FILE)


def asked(folder: Path) -> str | None:
    """Where to go; None while nobody has asked."""
    try:
        return (folder / FILE).read_text()
    except FileNotFoundError:
        return None
