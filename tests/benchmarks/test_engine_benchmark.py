"""The engine's benchmark: both sides answer alike, and its streams are what the papers describe."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sase
from benchmarks import baseline, engine, measure, streams
from benchmarks.curves import Curve, curves
from benchmarks.workloads import Workload, workloads

SMALL = workloads(window=400, partition_window=30)
CURVE = Curve("A straight line", "x", "events/s", (1, 2), {"one": (1.0, 2.0), "two": (2e6, 3e6)}, (1, 2))


@pytest.mark.parametrize("workload", SMALL, ids=[row.name for row in SMALL])
def test_the_engine_and_generated_python_find_as_many_matches(workload: Workload) -> None:
    stream = workload.stream(12_000)
    ours = measure.engine(workload.query, stream, rounds=1)
    assert ours.matches == measure.generated(workload, stream, rounds=1).matches


WIDE = workloads(window=4_000, partition_window=500)


@pytest.mark.parametrize("workload", WIDE, ids=[row.name for row in WIDE])
def test_the_engine_and_generated_python_find_the_same_matches(workload: Workload) -> None:
    stream = workload.stream(12_000)
    matcher = sase.compile(workload.query).matcher()
    ours = [match.positions for batch in stream for match in matcher.push(batch)]
    theirs = baseline.compiled(workload.source)(baseline.columns(stream, workload.columns))
    assert sorted(ours) == sorted(theirs)


def test_most_rows_have_matches_to_compare() -> None:
    counts = [measure.generated(row, row.stream(12_000), rounds=1).matches for row in SMALL]
    assert sum(count > 0 for count in counts) >= len(counts) - 2


def test_no_switch_of_a_curve_changes_the_number_of_matches() -> None:
    found = list(curves(400))
    assert all(len(curve.matches) == len(curve.xs) for curve in found)
    assert sum(map(sum, (curve.matches for curve in found))) > 0


def test_the_command_prints_every_row_and_draws_every_curve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "workloads", lambda: SMALL)
    monkeypatch.setattr("benchmarks.curves.curves", lambda _events: [CURVE, CURVE, CURVE])
    engine.main(["--events", "2000", "--plot", str(tmp_path / "plots" / "engine.html")])
    shown = capsys.readouterr().out
    assert all(row.name in shown for row in SMALL)
    assert shown.count("A straight line, events/s") == 3
    assert "A straight line" in (tmp_path / "plots" / "engine.html").read_text(encoding="utf-8")


def test_prices_rise_as_often_as_asked() -> None:
    (batch,) = streams.stock(50_000, symbols=1, rising=0.55)
    steps = np.diff(batch.column("price").to_numpy())
    assert np.mean((steps == 1) | (steps == 1 - streams.HIGHEST_PRICE)) == pytest.approx(0.55, abs=0.01)


def test_every_tag_of_the_shop_goes_from_shelf_to_exit_in_three_steps() -> None:
    (batch,) = streams.shop(3_000, tags=1, spacing_ms=10, theft=0.5)
    kinds = batch.column("event").to_pylist()
    assert set(kinds[0::3]) == {"Shelf"}
    assert set(kinds[1::3]) == {"Shelf", "Register"}
    assert set(kinds[2::3]) == {"Exit"}
