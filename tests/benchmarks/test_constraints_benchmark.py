"""The benchmark of constraints: its orders obey them, both ways find the same, and the command shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

import sase
from benchmarks import constraints, orders
from benchmarks.orders import Workflow


def test_the_orders_obey_the_constraints_and_fail_as_they_should() -> None:
    stream = orders.stream(Workflow(local=0.5, cheap_quotes=0.5, cancelled=0.2), 60)
    matcher = sase.compile("EVENT Archive a", constraints=orders.CONSTRAINTS).matcher()
    assert sum(len(matcher.push(batch)) for batch in stream) == 60
    assert matcher.violations == []


def test_the_command_prints_every_row_and_draws_the_curves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "CASES", 600)
    monkeypatch.setattr(orders, "AT_ONCE", 20)
    monkeypatch.setattr(constraints, "WARM", 0)
    monkeypatch.setattr(constraints, "ROUNDS", 1)
    constraints.main(["--quick", "--plots", str(tmp_path / "constraints.html")])
    shown = capsys.readouterr().out
    assert shown.count("fails early") >= 2 * len(constraints.RATIOS)
    assert "negated ends known" in shown
    assert shown.count("at most 3% more time") == len(constraints.EXPERIMENTS)
    assert "60% fewer events at the peak" in shown
    assert "with constraints" in (tmp_path / "constraints.html").read_text(encoding="utf-8")
