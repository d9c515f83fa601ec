"""Whole plays: the same seed, the same day; scripts that keep their promise; files and their speed."""

import argparse
import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from app.ingest.payloads.epc import sgtin_96
from app.place.radio import PRESETS
from app.place.scenario import Scenario, load
from simulator.commands.simulate import add_arguments, run
from simulator.play import Play, Scene
from simulator.staging.stage import CommandError, command, message
from simulator.trial.attempt import attempt
from simulator.worlds.world import MINUTE

PLACES = ("store", "ward", "library")


def place(name: str) -> Scenario:
    return load(Path("scenarios") / f"{name}.yaml")


def table(scenes: list[Scene]) -> pa.Table:
    return pa.Table.from_batches([scene.reports for scene in scenes])


@pytest.mark.parametrize("name", PLACES)
def test_the_same_seed_plays_the_same_day(name: str) -> None:
    first, second = (Play(place(name), 3, length_ms=20 * MINUTE) for _ in range(2))
    assert table(list(first.scenes())).equals(table(list(second.scenes())))
    assert first.world.truth.incidents == second.world.truth.incidents


def test_another_seed_plays_another_day() -> None:
    first, second = (Play(place("store"), seed, length_ms=10 * MINUTE) for seed in (1, 2))
    assert not table(list(first.scenes())).equals(table(list(second.scenes())))


def test_steps_of_any_length_tell_the_same_truth() -> None:
    fast = Play(place("store"), 5, length_ms=60 * MINUTE)
    slow = Play(place("store"), 5, length_ms=60 * MINUTE)
    assert len(list(fast.scenes(30 * MINUTE))) == 2
    assert len(list(slow.scenes(MINUTE))) == 60
    assert sorted(map(str, fast.world.truth.incidents)) == sorted(map(str, slow.world.truth.incidents))


def test_every_reader_numbers_its_reports_without_a_gap() -> None:
    rows = table(list(Play(place("store"), 1, length_ms=5 * MINUTE).scenes())).to_pylist()
    numbers: dict[str, list[int]] = {}
    for row in rows:
        numbers.setdefault(row["reader"], []).append(row["seq"])
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())
    assert len(numbers) == 12


def test_items_carry_sgtin_96_codes() -> None:
    assert all(sgtin_96(tag) for tag in place("store").items.column("tag").to_pylist())


@pytest.mark.parametrize("name", PLACES)
def test_a_script_raises_exactly_the_alerts_that_the_scenario_promises(name: str) -> None:
    scenario = place(name)
    assert scenario.simulation is not None
    play = Play(scenario, 1, radio="kind", length_ms=scenario.simulation.length_ms, parts=("script",))
    found = Counter(alert.detector for alert in attempt(scenario, play).alerts)
    assert found == Counter(scenario.simulation.expectation)  # what is promised not to come counts too


def test_a_script_keeps_its_promise_under_the_radio_of_a_real_shop_but_for_clocks_that_are_off() -> None:
    scenario = place("store")
    assert scenario.simulation is not None
    play = Play(scenario, 1, length_ms=scenario.simulation.length_ms, parts=("script",))
    found = Counter(alert.detector for alert in attempt(scenario, play).alerts)
    clocks = [one for one in play.world.truth.incidents if one.detector == "clock"]
    assert len(clocks) > 0
    assert found == Counter(scenario.simulation.expectation | {"clock": len(clocks)})


def test_what_is_staged_happens_to_tags_that_answer() -> None:
    play = Play(place("store"), 1, radio=replace(PRESETS["kind"], mute=0.5), parts=())
    for _ in range(5):
        command(play.cast, message('{"incident": "shoplift"}'))
    play.world.run(play.now + 30 * MINUTE)
    tags = place("store").items.column("tag").to_pylist()
    stolen = [tags.index(one.tag) for one in play.world.truth.incidents if one.detector == "shoplifting"]
    assert len(stolen) >= 5
    assert not play.mute[stolen].any()


def test_what_the_script_does_is_in_the_truth_with_its_tag() -> None:
    play = Play(place("store"), 1, length_ms=60 * MINUTE, parts=("script",))
    list(play.scenes())
    stolen = next(one for one in play.world.truth.incidents if one.detector == "shoplifting")
    assert stolen.subject.startswith("JEAN-32-")
    assert json.loads(stolen.json())["tag"] == stolen.tag
    assert stolen.tag in place("store").items.column("tag").to_pylist()


@pytest.mark.parametrize(
    ("name", "incident", "detector"),
    [
        ("store", "shoplift", "shoplifting"),
        ("store", "misplace", "misplaced"),
        ("store", "sweep", "shelf_sweep"),
        ("store", "fitting-loss", "fitting_room_loss"),
        ("store", "buy-up", "understocked"),
        ("store", "reader-down", "reader_silent"),
        ("ward", "overdose", "overdose"),
        ("ward", "interaction", "drug_interaction"),
        ("ward", "missed-dose", "missed_dose"),
        ("ward", "wrong-patient", "wrong_patient"),
        ("library", "booklift", "booklifting"),
        ("library", "confusion", "confusion"),
        ("library", "over-limit", "over_limit"),
        ("library", "misplace-book", "misplaced_book"),
    ],
)
def test_an_incident_can_be_staged_at_any_moment(name: str, incident: str, detector: str) -> None:
    play = Play(place(name), 1, parts=())
    command(play.cast, message(json.dumps({"incident": incident})))
    play.world.run(play.now + 180 * MINUTE)
    assert detector in {one.detector for one in play.world.truth.incidents}


def test_a_dose_that_was_ordered_and_slept_through_is_missed_after_its_grace() -> None:
    ward = place("ward")
    play = Play(ward, 1, parts=())
    ordered, grace = play.now, int(play.world.truth.setting("missed_dose", "grace"))
    command(play.cast, message('{"incident": "missed_dose", "bottle": "PARACETAMOL-1"}'))
    play.world.run(ordered + grace - 1_000)
    assert play.world.truth.incidents == []
    play.world.run(ordered + grace + MINUTE)
    [missed] = play.world.truth.incidents
    assert (missed.detector, missed.subject) == ("missed_dose", "PARACETAMOL-1")
    assert [step.deed for step in play.world.stories.news()] == ["begun", "ordered", "sleeps"]


@pytest.mark.parametrize(("name", "bottle"), [("ward", "wristband-1"), ("ward", "RUM-1"), ("store", "RUM-1")])
def test_a_dose_is_ordered_of_a_bottle_that_a_ward_has(name: str, bottle: str) -> None:
    play = Play(place(name), 1, parts=())
    with pytest.raises(CommandError):
        command(play.cast, message(json.dumps({"incident": "missed_dose", "bottle": bottle})))


def test_a_sentence_can_be_staged_too() -> None:
    play = Play(place("store"), 1, radio="kind", parts=())
    command(play.cast, message('{"script": "reader till-1-pad goes down for 10 minutes"}'))
    play.step(3 * MINUTE)  # silent is who has been so for two
    assert [one.subject for one in play.world.truth.incidents] == ["till-1-pad"]


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ("steal!", "a command is JSON"),
        ("[1]", "a command has one of"),
        ('{"incident": "flood"}', "unknown incident 'flood': one of reader_down, shopper"),
        ('{"script": "somebody flies"}', "no sentence of a script"),
    ],
)
def test_a_command_that_makes_no_sense_is_answered_with_what_would(payload: str, words: str) -> None:
    play = Play(place("store"), 1, parts=())
    with pytest.raises(CommandError, match=words.replace("[", r"\[")):
        command(play.cast, message(payload))


def test_a_sentence_about_what_is_not_there_says_so() -> None:
    play = Play(place("store"), 1, parts=())
    command(play.cast, message('{"script": "shopper-1 hides JEAN-32"}'))
    with pytest.raises(CommandError, match="shopper-1 carries no JEAN-32"):
        play.step(MINUTE)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("patron-7 borrows book-2000 at the counter", "book-2000"),
        ("somebody borrows book-120 at the counter", "no patron is called somebody"),
        ("patron-7 returns book-120 at the box", "patron-7 has not borrowed book-120"),
        ("staff-1 shelves book-10 on crime", "book-10 is not there for the taking"),
    ],
)
def test_a_sentence_about_what_nobody_can_do_says_so(sentence: str, words: str) -> None:
    play = Play(place("library"), 1, parts=())
    command(play.cast, message(json.dumps({"script": sentence})))
    with pytest.raises(CommandError, match=words):
        play.step(5 * MINUTE)


def test_a_librarys_sentence_means_nothing_in_a_store() -> None:
    play = Play(place("store"), 1, parts=())
    command(play.cast, message('{"script": "patron-7 steals book-120 by the door"}'))
    with pytest.raises(CommandError, match="that happens in a library"):
        play.step(MINUTE)


def simulate(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args(arguments))


def test_readings_and_truth_go_to_files(tmp_path: Path) -> None:
    out, truth = tmp_path / "readings.jsonl", tmp_path / "truth.jsonl"
    assert simulate("store", "--length", "10 min", "--out", str(out), "--truth", str(truth)) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    reading = next(line for line in lines if "tag" in line)
    assert reading.keys() == {"reader", "antenna", "tag", "ts", "rssi", "seq"}
    assert {line["status"] for line in lines if "tag" not in line} == {"online"}
    assert "shoplifting" in {json.loads(line)["incident"] for line in truth.read_text().splitlines()}


def test_the_columns_of_a_parquet_file_are_those_of_the_lines(tmp_path: Path) -> None:
    for suffix in ("jsonl", "parquet"):
        simulate("store", "--length", "2 min", "--out", str(tmp_path / f"out.{suffix}"))
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [json.loads(line)["ts"] for line in lines] == [row["ts"] for row in rows]


def test_a_file_of_an_unknown_kind_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("store", "--out", str(tmp_path / "out.txt")) == 1
    assert "ends in .jsonl or .parquet" in capsys.readouterr().err


def test_vigil_check_tells_every_fault_of_every_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(
            "title: A\nsummary: B\ntimezone: Mars\nplan: {}\ncatalog: {}\n"
        )
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "check", *map(str, sorted(tmp_path.glob("*.yaml")))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("unknown time zone 'Mars'") == 2
    assert "one.yaml:3:" in done.stderr
