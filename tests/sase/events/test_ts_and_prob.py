"""`ts` and `prob` from dicts and from Arrow: what is taken, and what is refused in words."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sase
from tests.sase.effort import examples

GOOD = {"event": "A", "ts": 1}


def pushed(events: Any) -> list[Any]:
    return list(sase.compile("EVENT A x").matcher().push(events))


@pytest.mark.parametrize("prob", [0, 0.0, 1.5, -0.1, float("nan"), "0.5", True, [0.5], Decimal("1.1"), 2**70])
def test_what_is_no_probability_makes_a_bad_event(prob: Any) -> None:
    with pytest.raises(ValueError, match=r"event 2 of the batch: prob must be .* at most 1, not "):
        pushed([GOOD, {"event": "B", "ts": 1, "prob": prob}])


@pytest.mark.parametrize(
    "column",
    [
        pa.array([0.5, 0.0]),
        pa.array([None, 1.5]),
        pa.array([1, 2]),
        pa.array([1.0, float("nan")]),
        pa.array([None, "0.5"]),
        pa.array([None, True]),
        pa.array([Decimal("0.5"), Decimal("-0.5")]),
        pa.array([0.5, 1.5]).dictionary_encode(),
    ],
    ids=str,
)
def test_what_is_no_probability_makes_a_bad_row(column: pa.Array) -> None:
    batch = pa.record_batch({"event": ["A", "B"], "ts": [1, 1], "prob": column})
    with pytest.raises(ValueError, match=r"event 2 of the batch: prob must be .* at most 1, not "):
        pushed(batch)


@pytest.mark.parametrize("prob", [0.5, np.float32(0.5), Decimal("0.5"), 1, None])
def test_probabilities_of_any_numeric_type_multiply(prob: Any) -> None:
    expected = 1.0 if prob is None else float(prob)
    (match,) = pushed([{**GOOD, "prob": prob}])
    assert match.probability == expected
    (match,) = pushed(pa.record_batch({"event": ["A"], "ts": [1], "prob": pa.array([prob])}))
    assert match.probability == expected


def test_a_decimal_that_is_no_float_is_a_probability() -> None:
    (match,) = pushed([{**GOOD, "prob": Decimal("0.1")}])
    assert match.probability == 0.1


@pytest.mark.parametrize("ts", [1.5, float("nan"), float("inf"), True, "1", 2**63, None, [1], Decimal("1.5")])
def test_a_time_that_is_no_whole_number_is_refused(ts: Any) -> None:
    with pytest.raises(
        ValueError, match="event 2 of the batch: ts must be a whole number of milliseconds, not"
    ):
        pushed([GOOD, {"event": "A", "ts": ts}])


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pa.array([1.0, 1.5]), "event 2 of the batch: ts must be a whole number of milliseconds, not 1.5"),
        (pa.array([1.0, float("nan")]), "event 2 of the batch: .* not nan"),
        (pa.array([1, 2**63], pa.uint64()), "event 2 of the batch: .* not 9223372036854775808"),
        (pa.array(["1", "2"]), "ts must hold whole milliseconds or timestamps, not string"),
        (pa.array([True, True]), "ts must hold whole milliseconds or timestamps, not bool"),
        (pa.array([1, None]), "ts is null"),
    ],
    ids=str,
)
def test_a_column_of_times_that_are_no_whole_numbers_is_refused(column: pa.Array, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pushed(pa.record_batch({"event": ["A", "A"], "ts": column}))


@pytest.mark.parametrize("ts", [7, 7.0, np.int32(7), np.float64(7), Decimal("7.0")])
def test_a_time_of_any_numeric_type_is_taken_if_it_is_whole(ts: Any) -> None:
    (match,) = pushed([{"event": "A", "ts": ts}])
    assert (match.start, match.events["x"]["ts"]) == (7, 7)


@pytest.mark.parametrize("kind", [pa.int32(), pa.float64(), pa.decimal128(19, 0), pa.timestamp("ms")])
def test_a_column_of_whole_times_gives_integers(kind: pa.DataType) -> None:
    (match,) = pushed(pa.record_batch({"event": ["A"], "ts": pa.array([7]).cast(kind, safe=False)}))
    assert (match.start, match.events["x"]) == (7, {"event": "A", "ts": 7})
    assert type(match.events["x"]["ts"]) is int


@pytest.mark.parametrize("ts", [2**61, 2**63 - 1, -(2**61), -(2**63)])
@pytest.mark.parametrize("arrow", [False, True])
def test_a_time_beyond_which_no_deadline_has_64_bits_is_refused(ts: int, arrow: bool) -> None:
    rows = [{"event": "A", "ts": ts}]
    with pytest.raises(ValueError, match=rf"event 1 of the batch: ts must be .* 1970, not {ts}"):
        pushed(pa.RecordBatch.from_pylist(rows) if arrow else rows)
    with pytest.raises(ValueError, match=rf"the time that is reached must be .* 1970, not {ts}"):
        sase.compile("EVENT A x").matcher().advance(ts)


@pytest.mark.parametrize("ts", [2**61 - 1, -(2**61) + 1])
def test_times_far_away_have_their_deadlines(ts: int) -> None:
    absent = sase.compile("EVENT SEQ(A x, !(B y)) WITHIN 1 hour")
    (match,) = absent.match([{"event": "A", "ts": ts}])
    assert match.detected_at == ts + 3_600_000
    pairs = sase.compile("EVENT SEQ(A x, A y)").match(
        [{"event": "A", "ts": -abs(ts)}, {"event": "A", "ts": abs(ts)}]
    )
    assert len(list(pairs)) == 1


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.decimals(allow_nan=False),
    st.dates(),
)


@examples(300)
@given(ODD | st.floats(0, 1))
def test_whatever_stands_as_prob_is_a_probability_or_refused(prob: Any) -> None:
    query = sase.compile("EVENT A x HAVING PROBABILITY >= 0.5")
    number = isinstance(prob, int | float | Decimal) and not isinstance(prob, bool)
    if prob is None or (number and 0 < prob <= 1):
        found = [match.probability for match in query.match([{**GOOD, "prob": prob}])]
        chance = 1.0 if prob is None else float(prob)
        assert found == ([chance] if chance >= 0.5 * (1 - 1e-12) else [])
    else:
        with pytest.raises(ValueError, match="prob must be"):
            query.match([{**GOOD, "prob": prob}])
