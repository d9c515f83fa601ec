"""`vigil learn`: what a recording teaches, versions, the way back, and that the log decides what counts."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest

from app import cli, log, store
from app.cleaning import learned
from app.cleaning.learned import LearnedVersion, name_of
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import CleanedStream
from app.cleaning.whereabouts.rates import HeardShares
from app.log.row import ROW_SCHEMA, STORED_SCHEMA, Row, to_batch
from app.mqtt import topics
from app.place.floor_plan import FloorPlan
from app.place.scenario import Scenario, load
from app.running import which_place
from app.whereabouts.findings import in_words, share_in_words
from app.whereabouts.from_recording import learn
from tests.app.cleaning.whereabouts.boutique import BOUTIQUE, NOON, log_rows, steady
from tests.app.cleaning.whereabouts.boutique import Heard as Read

HOURS = 2
SECONDS = HOURS * 3600


def reads() -> list[Read]:
    """Two hats and a coat that lie there; the gate hears one hat in bursts, and the hats' reader the coat."""
    lying = [
        *steady("hats-1", "AA01", 0, SECONDS, 10),
        *steady("hats-1", "AA02", 3, SECONDS, 10),
        *steady("coats-1", "AA03", 5, SECONDS, 10),
        *steady("hats-1", "AA03", 907, SECONDS, 600),
    ]
    bursts = [
        (start + step * 0.4, "gate-1", "AA01") for start in range(1201, SECONDS, 900) for step in range(4)
    ]
    return [*lying, *bursts]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return log_rows(reads(), SECONDS)


@pytest.fixture
def setup(tmp_path: Path, rows: list[Row], monkeypatch: pytest.MonkeyPatch) -> CleaningSetup:
    """A data folder on which the boutique has run for two hours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIGIL_DATA", str(tmp_path))
    path = tmp_path / "boutique.yaml"
    path.write_text(BOUTIQUE)
    writer = log.LogWriter(tmp_path / "log", STORED_SCHEMA)
    writer.append(to_batch(rows))
    writer.close()
    (tmp_path / "checkpoint").mkdir()
    which_place.note(tmp_path / "checkpoint", path)
    return CleaningSetup(path, tmp_path / "log", tmp_path / "checkpoint" / "cleaning", 500)


def test_a_recording_teaches_strays_and_what_a_gate_hears(setup: CleaningSetup) -> None:
    place, told = load(setup.scenario), []
    lesson = learn(setup, place, 0, log.end(setup.log), told.append)
    fresh = CleanedStream(place, 500).believed
    assert fresh is not None
    guessed = fresh.rates()
    assert lesson.rates.round_trips["hats"]["gate"] > guessed.round_trips["hats"]["gate"] + 4
    rate = lesson.rates.strays["hats-1"]["coats"] / lesson.rates.exposed["coats"]
    assert rate > guessed.strays["hats-1"]["hats"] / guessed.exposed["hats"]
    assert told[-1] == 1.0
    assert lesson.exits[1] <= lesson.exits[0]


def test_what_was_learned_is_told_kept_counted_and_taken_back(
    setup: CleaningSetup, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["learn", "--list"]) == 0
    assert "learns by itself; no version was kept yet" in capsys.readouterr().out
    assert cli.main(["learn"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("2.0 hours of Boutique, 2026-03-02 12:00 to 2026-03-02 13:59, ")
    assert told.out.rstrip().endswith(
        "Version 2 counts from the log's next place on; `vigil learn --undo` takes it back."
    )
    assert "learning: 100%" in told.err
    itself, asked = learned.versions(setup.learned)
    engine = store.open_store(f"sqlite:///{Path.cwd() / 'store.db'}")
    assert (asked.before, store.asked_to_learn(engine)) == (itself.name, asked.name)
    assert cli.main(["learn"]) == 0
    assert "nothing changes" in capsys.readouterr().out
    assert cli.main(["learn", "--undo"]) == 0
    assert store.asked_to_learn(engine) == itself.name
    assert cli.main(["learn", "--undo"]) == 1
    assert "nothing to go back to" in capsys.readouterr().err
    sent = [
        json.loads(message.payload) for message in store.unsent(engine) if message.topic == topics.CONTROL
    ]
    assert sent == [{"scenario": "boutique", "learned": one.name} for one in (asked, itself)]
    assert cli.main(["learn", "--list"]) == 0
    assert [line.split()[1] == "counts" for line in capsys.readouterr().out.splitlines()] == [True, False]
    engine.dispose()


def test_a_trial_run_keeps_nothing(setup: CleaningSetup) -> None:
    assert cli.main(["learn", "--dry-run"]) == 0
    assert not setup.learned.exists()


def version_of(setup: CleaningSetup, place: Scenario) -> LearnedVersion:
    """One that is far from what the recording says."""
    believed = CleanedStream(place, 500).believed
    assert believed is not None
    rates = replace(believed.rates(), round_trips={area.name: {"gate": 900.0} for area in place.plan.areas})
    return learned.keep(setup.learned, LearnedVersion(name_of(rates), 0, "", NOON, 0, 1, ("x",), rates))


@pytest.mark.parametrize("cuts", [(), (700,), (701,), (300, 702, 1500)])
def test_a_version_counts_from_its_place_in_the_log_however_it_is_cut_and_after_any_kill(
    setup: CleaningSetup, rows: list[Row], cuts: tuple[int, ...]
) -> None:
    place = load(setup.scenario)
    version = version_of(setup, place)
    text = json.dumps({"scenario": "boutique", "learned": version.name})
    control = Row("control", "", 0, "", rows[700].ts, None, None, text, rows[700].received, topics.CONTROL)
    batch = numbered([*rows[:700], control, *rows[700:2500]])
    whole = CleanedStream(place, 500, setup.catalogs, setup.learned)
    expected = whole.push(batch).to_pylist()
    edges = [0, *cuts, batch.num_rows]
    stream, told = CleanedStream(place, 500, setup.catalogs, setup.learned), []
    for low, high in pairwise(edges):
        told += stream.push(batch.slice(low, high - low)).to_pylist()
        resumed = CleanedStream(place, 500, setup.catalogs, setup.learned)
        resumed.restore(stream.snapshot())
        stream = resumed
    assert events(told) == events(expected)
    assert stream.learned == whole.learned == version.name
    assert stream.believed is not None
    assert whole.believed is not None
    assert stream.believed.rates() == whole.believed.rates()
    assert stream.believed.rates().round_trips["till"]["gate"] == 900.0


def test_a_version_that_is_gone_changes_nothing_and_is_missed_in_words(
    setup: CleaningSetup, caplog: pytest.LogCaptureFixture
) -> None:
    stream = CleanedStream(load(setup.scenario), 500, setup.catalogs, setup.learned)
    text = json.dumps({"scenario": "boutique", "learned": "0123456789ab"})
    stream.push(numbered([Row("control", "", 0, "", NOON, None, None, text, NOON, topics.CONTROL)]))
    assert stream.learned == ""
    assert "no version 0123456789ab" in caplog.text


def test_findings_speak_of_shares_as_people_do(setup: CleaningSetup) -> None:
    plan: FloorPlan = load(setup.scenario).plan
    believed = CleanedStream(load(setup.scenario), 500).believed
    assert believed is not None
    heard = HeardShares({"hats": 90}, {"hats": {"gate": 30}}, {"hats": 0.62}, {"hats": 4})
    assert in_words(plan, believed.rates(), heard) == [
        "Gate hears a third of what lies in Hats (30 of 90).",
        "In Hats 62% of what lies there is read each time; 4 of 90 hardly answer.",
    ]
    assert [share_in_words(share) for share in (1.0, 0.5, 0.26, 0.05)] == ["all", "half", "a quarter", "5%"]


def numbered(rows: list[Row]) -> pa.RecordBatch:
    positions = pa.array(range(len(rows)), pa.int64())
    return pa.RecordBatch.from_arrays([positions, *to_batch(rows).columns], schema=ROW_SCHEMA)


def events(told: list[dict[str, object]]) -> list[dict[str, object]]:
    return [row for row in told if row["event_id"] is not None]
