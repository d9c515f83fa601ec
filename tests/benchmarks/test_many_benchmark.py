"""The benchmark of many queries: both ways find the same, and the command shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

import sase
from benchmarks import many


def test_no_two_queries_are_alike_and_most_have_matches() -> None:
    texts = many.queries(30)
    found = sase.compile_all(texts).match(many.stream(20_000)[0])
    assert len(set(texts.values())) == 30
    assert sum(any(True for _ in matches) for matches in found.values()) > 15


def test_the_command_prints_every_point_and_draws_the_curve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many.main(["--queries", "1", "12", "--events", "3000", "--plot", str(tmp_path / "many.html")])
    shown = capsys.readouterr().out
    assert "|       1 |" in shown
    assert "|      12 |" in shown
    assert "Many queries" in (tmp_path / "many.html").read_text(encoding="utf-8")
