"""A display shows what is meant for those who are probably in its room."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.place.scenario import load
from app.whereabouts.display import DisplayContent, content, residents

HOME = load(Path("scenarios/home.yaml"))


def shown(**living: float) -> DisplayContent:
    """With these chances of being in the living room."""
    assert HOME.household is not None
    assert HOME.household.display is not None
    ids = HOME.items["id"].to_pylist()
    rows = [{"living": living[who], "outside": 1 - living[who]} if who in living else {} for who in ids]
    return content(HOME.household.display, residents(HOME.items, lambda row: rows[row]))


@pytest.mark.parametrize(
    ("living", "messages"),
    [
        ({}, ()),
        ({"anna": 0.79}, ()),
        ({"anna": 0.8}, ("The dentist at three.", "Paper is collected tomorrow.")),
        ({"clara": 0.95, "ben": 0.3}, ("Homework before the film.", "Paper is collected tomorrow.")),
    ],
)
def test_a_message_is_shown_to_whom_it_is_meant_for(
    living: dict[str, float], messages: tuple[str, ...]
) -> None:
    assert shown(**living).messages == messages


def test_who_is_likeliest_there_comes_first() -> None:
    there = shown(anna=0.85, ben=0.99, clara=0.1).present
    assert [(one.name, sure) for one, sure in there] == [("Ben", 0.99), ("Anna", 0.85)]


def test_what_is_for_seniors_waits_for_one() -> None:
    assert not shown(clara=1.0).for_seniors
    assert shown(clara=1.0, ben=0.9).for_seniors


def test_somebody_of_whom_nothing_was_heard_is_nowhere() -> None:
    nobody = residents(HOME.items, lambda _: {})[0]
    assert nobody.place == ("", 0.0)
