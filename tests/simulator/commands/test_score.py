"""`vigil score`: the table, the picture and the exit code that a build can use."""

import argparse
from pathlib import Path

import pytest

from simulator.commands.score import add_arguments, run


def scored(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args(arguments))


def test_the_table_names_every_detector_of_the_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    assert scored("ward", "--seeds", "1", "--length", "30 min", "--least", "0.97") == 0
    shown = capsys.readouterr().out
    assert "Hospital ward: 1 plays at noise 1" in shown
    assert "overdose" in shown


def test_a_score_below_the_least_fails() -> None:
    assert scored("ward", "--seeds", "1", "--length", "30 min", "--least", "1.01") == 1


def test_the_picture_is_one_file_that_needs_no_network(tmp_path: Path) -> None:
    picture = tmp_path / "accuracy.html"
    assert scored("ward", "--seeds", "1", "--length", "10 min", "--plot", str(picture)) == 0
    assert "accuracy over noise" in picture.read_text()


def test_a_scenario_that_does_not_exist_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert scored("attic") == 1
    assert "there is no scenario attic" in capsys.readouterr().err


def test_clocks_may_differ_by_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    assert scored("ward", "--seeds", "1", "--length", "90 min", "--noise", "20") == 0
    assert "noise 20" in capsys.readouterr().out
