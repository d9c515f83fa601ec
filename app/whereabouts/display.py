"""What a display in a room shows: who is probably there, and what is meant for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from app.place.household import EVERYBODY, RoomDisplay, people

Chances = dict[str, float]  # by place


@dataclass(frozen=True)
class Resident:
    """Somebody of the household, and where they probably are."""

    id: str
    name: str
    role: str
    chances: Chances

    @property
    def place(self) -> tuple[str, float]:
        """The likeliest, and how likely it is; nowhere before anything was heard of them."""
        return max(self.chances.items(), key=lambda pair: pair[1], default=("", 0.0))


@dataclass(frozen=True)
class DisplayContent:
    """`present`: the likeliest first; `for_seniors`: whether a senior is among them."""

    present: tuple[tuple[Resident, float], ...]
    messages: tuple[str, ...]
    for_seniors: bool


def residents(items: pa.Table, chances: Callable[[int], Chances]) -> list[Resident]:
    """`chances` of a row of the catalog."""
    return [
        Resident(
            str(one["id"]), str(one.get("name") or one["id"]), str(one.get("role") or ""), chances(one["row"])
        )
        for one in people(items)
    ]


def content(display: RoomDisplay, household: list[Resident]) -> DisplayContent:
    """Somebody counts as there who is so with the probability that the display asks for."""
    there = [(one, one.chances.get(display.area, 0.0)) for one in household]
    present = sorted(((one, sure) for one, sure in there if sure >= display.sure), key=lambda pair: -pair[1])
    return DisplayContent(
        tuple(present),
        tuple(_meant_for(display, [one for one, _ in present])),
        any(one.role == "senior" for one, _ in present),
    )


def _meant_for(display: RoomDisplay, present: list[Resident]) -> Iterator[str]:
    known = {EVERYBODY, *(one.id for one in present), *(one.role for one in present)} if present else set()
    yield from (message.say for message in display.messages if message.to in known)
