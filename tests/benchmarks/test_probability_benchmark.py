"""The benchmark of HAVING PROBABILITY: both ways find the same, and the command shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import probability
from benchmarks.workloads import workloads


def test_the_command_prints_every_row_and_draws_the_curves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probability, "QUICK_EVENTS", 3_000)
    monkeypatch.setattr(probability, "workloads", lambda: workloads(window=200, partition_window=20))
    probability.main(["--quick", "--plot", str(tmp_path / "probability.html")])
    shown = capsys.readouterr().out
    assert shown.count("[attr1], domain") == 4
    assert "0.99" in shown
    assert "A bound on the probability" in (tmp_path / "probability.html").read_text(encoding="utf-8")
