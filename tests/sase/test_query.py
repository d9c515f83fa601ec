"""What a compiled query says of itself to whoever hosts it."""

from __future__ import annotations

import pytest

import sase
from sase.plan.window import FOREVER


@pytest.mark.parametrize(
    ("text", "reach", "in_events"),
    [
        ("EVENT SEQ(A x, B y) WITHIN 3 ms", 3, None),
        ("EVENT SEQ(A x, B y, !(C z)) WITHIN 3 ms", 3, None),
        ("EVENT SEQ(!(C c), A x, !(D d)) WITHIN 3 ms", 6, None),
        ("EVENT SEQ(A x, B y)", FOREVER, None),
        ("EVENT SEQ(A x, B+ y[]) WITHIN 3 events", None, 3),
    ],
)
def test_a_query_knows_how_far_back_events_matter(
    text: str, reach: int | None, in_events: int | None
) -> None:
    query = sase.compile(text)
    assert (query.reach, query.reach_in_events) == (reach, in_events)


def test_only_a_negated_end_has_deadlines() -> None:
    assert sase.compile("EVENT SEQ(A x, !(B y)) WITHIN 3 ms").has_deadlines
    assert not sase.compile("EVENT SEQ(!(B y), A x) WITHIN 3 ms").has_deadlines


@pytest.mark.parametrize("pattern", ["SEQ(A x, !(B y))", "SEQ(A+ x[], !(B y))"])
def test_a_matcher_knows_its_next_deadline(pattern: str) -> None:
    matcher = sase.compile(f"EVENT {pattern} WHERE [id] WITHIN 10 ms").matcher()
    assert matcher.next_deadline is None
    matcher.push([{"event": "A", "ts": 5, "id": 1}, {"event": "A", "ts": 7, "id": 2}])
    assert matcher.next_deadline == 15
    assert [match.detected_at for match in matcher.advance(15)] == [15]
    assert matcher.next_deadline == 17
    matcher.advance(20)
    assert matcher.next_deadline is None


def test_plans_without_inferred_partitions_are_made_when_a_stream_needs_them() -> None:
    query = sase.compile("EVENT SEQ(A x, B y) WHERE x.id = y.id WITHIN 1 min")
    matcher = query.matcher()
    matcher.push([{"event": "A", "ts": 1, "id": 1}])
    assert "_loose_plans" not in vars(query)
    matcher.push([{"event": "B", "ts": 2}])
    assert "_loose_plans" in vars(query)


def test_non_overlap_under_partition_contiguity_needs_one_partition_for_all_sides_of_an_or() -> None:
    text = "EVENT SEQ(A a, B b) WHERE partition_contiguity(a, b) {{ {0} }} OUTPUT NON-OVERLAP"
    with pytest.raises(sase.QueryError, match=r"needs the same \[attributes\] on both sides of OR"):
        sase.compile(text.format("[id] OR a.x = b.x"))
    sase.compile(text.format("[id] AND (a.x = b.x OR a.y = b.y)"))
