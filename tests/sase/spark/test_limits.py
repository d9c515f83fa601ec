"""Limits in the stateful operator: what they cut off is told, and the default holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

import sase
from sase.options import Limits
from sase.spark import LIMITS, Rule, change
from sase.spark.control import read
from tests.sase.spark.workers import HEARTBEAT, Workers

KLEENE = "EVENT SEQ(A+ a[], B b) WITHIN 1 min"


def stream(count: int, first: int = 0) -> list[dict[str, Any]]:
    events = [("A", ts) for ts in range(first, first + count)] + [("B", first + count)]
    return [{"event": kind, "ts": ts, "_id": f"{kind}{ts}"} for kind, ts in events]


def told(rows: list[Any], query: str) -> tuple[int, int]:
    """Matches that came out, and those that were cut off."""
    cut = [row.figures["cut"] for row in rows if row.kind == "metric" and row.query == query]
    return sum(row.kind == "match" and row.query == query for row in rows), sum(cut)


def test_by_default_a_query_that_explodes_is_cut_off_and_the_figures_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = Workers({"q": KLEENE, "compressed": f"{KLEENE} OUTPUT COMPRESSED"}, monkeypatch)
    rows = workers.batch(stream(40), parts=1)
    expected = LIMITS.matches_per_event, 2**40 - 1 - LIMITS.matches_per_event
    assert told(rows, "q") == told(rows, "compressed") == expected


def test_a_rule_has_limits_of_its_own_and_the_call_those_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = Rule(KLEENE, limits=Limits(matches_per_event=5))
    workers = Workers(
        {"q": KLEENE, "own": own}, monkeypatch, limits=Limits(matches_per_event=3), control=True
    )
    rows = workers.batch(stream(3), parts=1)
    assert (told(rows, "q"), told(rows, "own")) == ((3, 4), (5, 2))
    text = change("added", Rule(KLEENE, limits=Limits(matches_per_event=1), primed=False))
    plain = change("plain", Rule(KLEENE, primed=False))
    changes = [{"event": HEARTBEAT, "ts": 50, "_id": name, "_control": name} for name in (text, plain)]
    rows = workers.batch([*changes, *stream(3, first=60)], parts=1)
    assert (told(rows, "added"), told(rows, "plain")) == ((1, 6), (3, 4))


def test_what_a_replay_cuts_off_again_is_not_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": KLEENE}, monkeypatch, limits=Limits(matches_per_event=3))
    assert told(workers.batch(stream(3), parts=1), "q") == (3, 4)
    workers.forget()
    assert told(workers.batch([{"event": HEARTBEAT, "ts": 10}]), "q") == (0, 0)


def test_limits_that_are_none_make_a_control_row_unreadable() -> None:
    text = json.loads(change("q", KLEENE)) | {"limits": {"matches_per_day": 3}}
    with pytest.raises(ValueError, match="limits are whole numbers under the names partial_matches"):
        read(json.dumps(text))


def test_values_that_cannot_be_compared_are_a_figure_as_the_python_matcher_counts_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    query = "EVENT SEQ(A a, B b) WHERE [id] AND a.text < b.number WITHIN 1 min"
    events = [
        {"event": kind, "ts": ts, "_id": f"{kind}{ts}", "id": "x", "text": "much", "number": 7}
        for ts, kind in enumerate("AABB")
    ]
    alone = sase.compile(query).matcher()
    alone.push(events)
    workers = Workers({"q": query, "other": KLEENE}, monkeypatch, sample=events)
    rows = workers.batch(events, parts=1)
    met = {name: _met(rows, name) for name in ("q", "other")}
    assert met == {"q": alone.incomparable, "other": 0}
    assert alone.incomparable > 0
    workers.forget()
    assert _met(workers.batch([{"event": HEARTBEAT, "ts": 10}]), "q") == 0  # a replay tells nothing again


def _met(rows: list[Any], query: str) -> int:
    return sum(row.figures["incomparable"] for row in rows if row.kind == "metric" and row.query == query)
