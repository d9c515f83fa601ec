"""The parts of a running Vigil: what is asked of them."""

from pathlib import Path

from app.running import parts


def test_the_simulator_plays_through_the_radio_that_was_asked_for(tmp_path: Path) -> None:
    usual = parts.simulator("store", tmp_path, ("ingest",))
    asked = parts.simulator("store", tmp_path, ("ingest",), "--radio", "real-shop")
    assert [*usual.program, "--radio", "real-shop"] == [*asked.program]
