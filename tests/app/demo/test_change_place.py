"""The demo changes its place when somebody who may asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.demo import change_place
from app.demo.change_place import NoSuchPlaceError
from app.store import Actor, RefusedError


def test_nobody_has_asked_at_first(tmp_path: Path) -> None:
    assert change_place.asked(tmp_path) is None


def test_staff_may_ask_for_a_place_that_can_be_played(tmp_path: Path) -> None:
    change_place.ask(tmp_path, Actor("stan", "staff"), "ward")
    assert change_place.asked(tmp_path) == "ward"
    assert {"store", "ward"} <= set(change_place.choices())


def test_a_viewer_may_not_ask(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="needs the role staff"):
        change_place.ask(tmp_path, Actor("vera", "viewer"), "ward")
    assert change_place.asked(tmp_path) is None


@pytest.mark.parametrize("name", ["moon", "../store", ""])
def test_only_places_that_come_with_vigil_can_be_asked_for(name: str, tmp_path: Path) -> None:
    with pytest.raises(NoSuchPlaceError, match="one of"):
        change_place.ask(tmp_path, Actor("stan", "staff"), name)
    assert change_place.asked(tmp_path) is None
