"""What a site changes while Vigil runs reaches the stream."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import store as stores
from app.cleaning.controls import query_change
from app.cleaning.setup import CleaningSetup
from app.detection.pipeline import Pipeline
from app.place import scenario
from app.running.site_files import SiteFiles
from app.store import Actor
from detectors import library
from tests.app.cleaning.small_shop import NOON, SHOP
from tests.detectors.test_library_of_a_site import MINE, write

ADMIN = Actor("ada", "admin")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "ours"
    made.mkdir()
    monkeypatch.setenv(library.SITE, str(made))
    return made


@pytest.fixture
def pipeline(folder: Path, tmp_path: Path) -> Pipeline:  # noqa: ARG001
    place = tmp_path / "shop.yaml"
    place.write_text(SHOP)
    setup = CleaningSetup(place, tmp_path / "log", tmp_path / "checkpoint" / "cleaning", 500)
    engine = stores.open_store(f"sqlite:///{tmp_path / 'store.db'}")
    return Pipeline(scenario.load(place), setup, tmp_path / "checkpoint", engine, 0)


def told(engine: sa.Engine) -> list[dict[str, object]]:
    return [json.loads(message.payload) for message in stores.unsent(engine)]


def test_a_new_detector_can_be_switched_on_without_a_restart(pipeline: Pipeline, folder: Path) -> None:
    files = SiteFiles(pipeline, lambda: NOON)
    files.look()
    write(folder / "thing.yaml", MINE)
    assert files.look() == ""
    assert not stores.switches(pipeline.engine, "shop")["thing"].enabled
    stores.switch(pipeline.engine, ADMIN, "shop", "thing", enabled=True, now_ms=NOON)
    [switched] = told(pipeline.engine)
    assert "SHELF-READING x" in str(switched["query"])


def test_a_change_of_the_file_reaches_the_stream_if_the_detector_is_on(
    pipeline: Pipeline, folder: Path
) -> None:
    write(folder / "thing.yaml", MINE)
    files = SiteFiles(pipeline, lambda: NOON)
    files.look()
    stores.switch(pipeline.engine, ADMIN, "shop", "thing", enabled=True, now_ms=NOON)
    write(folder / "thing.yaml", MINE.replace("SHELF-LEFT y", "EXIT-READING y"))
    files.look()
    files.look()
    _, changed = told(pipeline.engine)
    assert "EXIT-READING y" in str(changed["query"])
    write(folder / "thing.yaml", MINE)
    carried_out = query_change("shop", json.dumps(changed))
    assert carried_out is not None
    assert "EXIT-READING y" in carried_out, "as the log says, whatever the file has become"


def test_a_fault_is_told_in_words_and_changes_nothing(pipeline: Pipeline, folder: Path) -> None:
    write(folder / "thing.yaml", MINE)
    files = SiteFiles(pipeline, lambda: NOON)
    files.look()
    write(folder / "thing.yaml", MINE.replace("severity: low", "severity: lowish"))
    assert files.look().startswith(f"The detectors of before stay: {folder / 'thing.yaml'}:2: ")
    assert told(pipeline.engine) == []


def test_values_that_fit_no_more_are_at_their_default(folder: Path) -> None:
    write(folder / "thing.yaml", MINE)
    thing = library.load()["thing"]
    assert thing.still_valid({"patience": 120_000, "window": 5}) == {"patience": 120_000}
    assert thing.still_valid({"patience": "a year"}) == {"patience": 300_000}
