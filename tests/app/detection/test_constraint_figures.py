"""What constraints spare is counted beside the stream and kept in the store, seldom and if it changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sqlalchemy as sa

from app import store as stores
from app.detection import constraint_figures
from app.detection.constraint_figures import ConstraintFigures
from app.store import Spared


def row(query: str | None, **figures: int) -> dict[str, Any]:
    return {"kind": "metric", "query": query, "attributes": json.dumps(figures)}


def test_what_is_counted_adds_up_and_cases_are_those_of_now(engine: sa.Engine) -> None:
    figures = ConstraintFigures(engine)
    first = [row(None, kept=9), row("one", pruned=3, cases=5), row("one", pruned=1, early=2, cases=1)]
    figures.note([*first, row("two", broken=1)], 10_000)
    assert stores.spared(engine, "one") == Spared(pruned=4, early=2, broken=0, cases=6)
    figures.note([row("one", pruned=1, cases=2)], 20_000)
    assert stores.spared(engine, "one") == Spared(pruned=5, early=2, broken=0, cases=2)
    assert stores.spared(engine, "two") == Spared(broken=1)
    assert stores.spared(engine, "three") == Spared()


def test_the_store_is_asked_seldom_and_nothing_is_lost_meanwhile(
    engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    keep = stores.record_spared

    def counted(*given: Any) -> None:
        written.append(1)
        keep(*given)

    monkeypatch.setattr(constraint_figures.store, "record_spared", counted)
    figures = ConstraintFigures(engine)
    for now in range(10_000, 20_000, 100):
        figures.note([row("one", pruned=1, cases=now)], now)
    assert len(written) == 2
    figures.note([row("one")], 40_000)
    figures.note([row("one")], 50_000)
    assert len(written) == 3
    assert stores.spared(engine, "one") == Spared(pruned=100)


def test_a_store_that_is_away_costs_no_batch_and_no_count(
    engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise sa.exc.OperationalError("", {}, Exception("away"))

    figures = ConstraintFigures(engine)
    with monkeypatch.context() as patch:
        patch.setattr(constraint_figures.store, "record_spared", away)
        figures.note([row("one", pruned=7)], 10_000)
    figures.note([], 10_001)
    assert stores.spared(engine, "one") == Spared(pruned=7)
