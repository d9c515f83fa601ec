"""The demo's first incident: staged once while the pipeline starts, and again if nothing comes of it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from app import store
from app.demo import opening
from app.demo.opening import Opening
from app.place.find import find_scenario
from app.place.scenario import load
from app.settings import Settings

STARTING = {"simulator": "up", "dashboard": "up", "pipeline": "starting"}
UP = {**STARTING, "pipeline": "up"}


def test_a_slow_start_does_not_stage_the_same_over_and_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seconds = iter(range(0, 100_000, 5))
    monkeypatch.setattr(opening.time, "monotonic", lambda: float(next(seconds)))
    engine = store.open_store(f"sqlite:///{tmp_path / 'store.db'}")
    chosen = Settings(data=tmp_path)
    told = Opening(Console(file=io.StringIO()), engine, chosen, load(find_scenario("home")))
    for _ in range(60):  # minutes in which the pipeline starts
        told(STARTING)
    assert len(store.unsent(engine)) == 1
    told(UP)
    assert len(store.unsent(engine)) == 1
    for _ in range(30):  # nothing has come of it
        told(UP)
    assert len(store.unsent(engine)) > 1
