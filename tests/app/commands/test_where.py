"""`vigil where`: a thing, a product, an area, with the place that the data belong to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app import cli, log, store
from app.log.row import STORED_SCHEMA, to_batch
from app.running import which_place
from app.store import Position
from app.store.whereabouts import record_positions
from tests.app.cleaning.whereabouts.boutique import BOUTIQUE, NOON, log_rows, steady


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder on which the boutique has run for ten minutes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIGIL_DATA", str(tmp_path))
    (tmp_path / "boutique.yaml").write_text(BOUTIQUE)
    writer = log.LogWriter(tmp_path / "log", STORED_SCHEMA)
    writer.append(to_batch(log_rows(steady("hats-1", "AA01", 0, 600, 10), 600)))
    writer.close()
    (tmp_path / "checkpoint").mkdir()
    which_place.note(tmp_path / "checkpoint", tmp_path / "boutique.yaml")
    engine = store.open_store(f"sqlite:///{tmp_path / 'store.db'}")
    with engine.begin() as connection:
        record_positions(connection, [Position("AA01", "HAT-1", "coats", "coats-1", NOON - 60_000)])
        record_positions(connection, [Position("AA01", "HAT-1", "hats", "hats-1", NOON)])
    engine.dispose()
    return tmp_path


@pytest.mark.usefixtures("data")
def test_one_thing_is_told_with_its_way(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["where", "HAT-1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("HAT-1: Hats (")
    assert told[1] == "Last read at 12:09:50 by hats-1, there since 12:00:10."
    assert told[2] == "Its way in 12 hours: 11:59:00 Coats → 12:00:00 Hats"


@pytest.mark.usefixtures("data")
def test_several_are_counted_by_place_and_an_area_tells_what_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["where", "hat"]) == 0
    assert capsys.readouterr().out.startswith("2 are called hat: 1.0 Hats")
    assert cli.main(["where", "Hats"]) == 0
    assert capsys.readouterr().out.startswith("Hats: 1 (expected 1.0).\nProbably there: 1\n  HAT-1: Hats")


@pytest.mark.usefixtures("data")
def test_what_is_unknown_and_what_a_program_reads(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["where", "unicorn"]) == 1
    assert capsys.readouterr().out == "Nothing like 'unicorn' is known here.\n"
    assert cli.main(["where", "--json", "AA01"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["places"][0]["name"] == "hats"
    assert told["at_ms"] == NOON + 599_500


def test_data_without_a_place_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VIGIL_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert cli.main(["where", "HAT-1"]) == 1
    assert "has seen no pipeline yet" in capsys.readouterr().err


@pytest.mark.usefixtures("data")
def test_the_replenishment_list_says_that_no_shelf_runs_out_and_needs_no_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["where", "--replenish"]) == 0
    assert capsys.readouterr().out == "No shelf is running out.\n"
    assert cli.main(["where"]) == 2
    assert "name what you look for" in capsys.readouterr().err


def test_a_shelf_that_runs_out_is_told_with_what_to_carry(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = "".join(f"    - {{tag: BB{n:02}, id: CAP-{n}, name: Cap, home: hats}}\n" for n in range(8))
    path = data / "boutique.yaml"
    shop = path.read_text().replace("id: HAT-1, home", "id: HAT-1, name: Hat, home")
    path.write_text(shop.replace("cleaning:\n", items + "cleaning:\n"))
    reads = [one for n in range(3) for one in steady("coats-1", f"BB{n:02}", 601 + n, 900, 10)]
    writer = log.LogWriter(data / "log", STORED_SCHEMA)
    writer.append(to_batch([row for row in log_rows(reads, 900) if row.ts > NOON + 600_000]))
    writer.close()
    assert cli.main(["where", "--replenish"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Hats: Cap, 0 of 8 (certainly). Carry: ")
    assert told.endswith(" in Coats.\n")
