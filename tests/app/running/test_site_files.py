"""What a site changes while Vigil runs reaches the stream."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
import sqlalchemy as sa

from app import log
from app import store as stores
from app.cleaning import snapshots
from app.cleaning.controls import query_change
from app.cleaning.rebuild import stream_at
from app.cleaning.setup import CleaningSetup
from app.detection.pipeline import Pipeline
from app.log.row import STORED_SCHEMA, control_row, to_batch
from app.place import scenario
from app.running.site_files import SiteFiles
from app.store import Actor
from detectors import library
from tests.app.cleaning.small_shop import NOON, SHOP
from tests.app.rows import stay
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


DELIVERY = SHOP.replace("cleaning:", "    - {tag: AA09, id: TEA-9, home: tea}\ncleaning:")


def rewrite(pipeline: Pipeline, text: str) -> None:
    write(pipeline.cleaning.scenario, text)


def test_a_delivery_is_told_once(pipeline: Pipeline) -> None:
    files = SiteFiles(pipeline, lambda: NOON)
    assert files.look() == ""
    assert told(pipeline.engine) == []
    rewrite(pipeline, DELIVERY)
    assert (files.look(), files.look()) == ("", "")
    assert [set(message) for message in told(pipeline.engine)] == [{"scenario", "catalog"}]
    assert SiteFiles(pipeline, lambda: NOON).look() == "", "nor by the next process"
    assert len(told(pipeline.engine)) == 1


def test_a_catalog_with_a_fault_is_told_in_words_and_changes_nothing(pipeline: Pipeline) -> None:
    files = SiteFiles(pipeline, lambda: NOON)
    files.look()
    rewrite(pipeline, DELIVERY.replace("AA09", "AA01"))
    assert "The catalog of before stays" in files.look()
    assert "tag 'AA01' stands in the catalog 2 times" in files.look()
    assert told(pipeline.engine) == []


def test_what_needs_a_restart_is_said(pipeline: Pipeline) -> None:
    files = SiteFiles(pipeline, lambda: NOON)
    rewrite(pipeline, DELIVERY.replace("home: tea}\ncleaning", "home: tea, price: 5}\ncleaning"))
    assert "other columns" in files.look()
    rewrite(pipeline, SHOP.replace("every: 10 seconds", "every: 9 seconds"))
    assert "more than its catalog" in files.look()


def events(told: pa.RecordBatch) -> list[dict[str, object]]:
    return [row for row in told.to_pylist() if row["event_id"]]


def test_a_delivery_is_named_from_its_place_in_the_log_on(pipeline: Pipeline) -> None:
    """Wherever the log is cut, and after a kill."""
    setup = pipeline.cleaning
    files = SiteFiles(pipeline, lambda: NOON)
    files.look()
    rewrite(pipeline, DELIVERY)
    files.look()
    [message] = stores.unsent(pipeline.engine)
    rows = [
        *stay("tea-1", "AA09", NOON, 1_000, 3),
        control_row(NOON + 10_000, message.payload, "vigil/control"),
        *stay("tea-1", "AA09", NOON + 20_000, 1_000, 3),
        *stay("tea-1", "AA01", NOON + 40_000, 1_000, 3),
    ]
    with log.LogWriter(setup.log, STORED_SCHEMA) as writer:
        writer.append(to_batch(rows))
    whole = stream_at(setup, 0).push(pa.concat_batches(log.read(setup.log, 0, len(rows))))
    seen = [(row["ts"] - NOON, row["id"]) for row in whole.to_pylist() if row["event"] == "SHELF-READING"]
    assert [name for _, name in seen] == ["TEA-9", "TEA-1"]
    assert seen[0][0] > 10_000
    for cut in range(1, len(rows)):
        first = stream_at(setup, 0)
        before = first.push(pa.concat_batches(log.read(setup.log, 0, cut)))
        with tempfile.TemporaryDirectory() as kept:
            snapshots.save(Path(kept), first.snapshot())
            again = stream_at(setup, 0)
            again.restore(snapshots.latest(Path(kept), cut) or first.snapshot())
        after = again.push(pa.concat_batches(log.read(setup.log, cut, len(rows))))
        both = pa.concat_batches([before, after]).to_pylist()
        assert [row for row in both if row["event_id"]] == [
            row for row in whole.to_pylist() if row["event_id"]
        ]
