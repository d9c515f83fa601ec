"""The benchmark of operators: every way to a point finds the same matches, and all is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import operators


def test_every_way_to_a_point_finds_as_many_matches() -> None:
    found = list(operators.figures(3_000))
    assert [len(curve.matches) for curve in found] == [5, 5, 2]
    assert sum(map(sum, (curve.matches for curve in found))) > 0


def test_the_command_prints_its_table_and_draws_the_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    operators.main(["--events", "4000", "--plot", str(tmp_path / "operators.html")])
    shown = capsys.readouterr().out
    assert "FOLLOWS(E1, E2, 10,000 ms)" in shown
    assert "memory per kept outcome" in shown
    assert "Figure 9" in (tmp_path / "operators.html").read_text(encoding="utf-8")
