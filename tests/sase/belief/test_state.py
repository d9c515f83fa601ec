"""What a state is, whatever it has seen: sums, order, cuts, silence, size, resumption."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sase import belief
from tests.sase.belief.home import HOUR, MINUTE, SECOND, home
from tests.sase.effort import examples

NAMES = ["A", "B", "C"]
CAMERAS = st.sampled_from(["lr-cam", "br-cam"])
SOMEBODY = st.one_of(
    st.builds(lambda name: {"entity": name}, st.sampled_from(NAMES)),
    st.builds(lambda share: {"entities": {"A": share, "B": (1 - share) / 2}}, st.floats(0.1, 0.9)),
    st.just({}),
)
ROWS = st.lists(
    st.builds(
        lambda after, sensor, who, sure: {"ts": after, "sensor": sensor, "sure": sure, **who},
        st.integers(0, 10 * MINUTE),
        st.one_of(CAMERAS, st.sampled_from(["door", "br-door"])),
        SOMEBODY,
        st.sampled_from([1.0, 0.9, 0.6]),
    ),
    min_size=1,
    max_size=6,
)


def timed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: row["ts"])


def answers(state: belief.State) -> Any:
    places = ("LR", "BR", "outside")
    numbers = [state.is_in(name, place) for name in NAMES for place in places]
    together = state.joint(*NAMES)
    return [*numbers, *(together[key] for key in sorted(together._possible))]


@examples(60)
@given(ROWS)
def test_probabilities_add_up_to_one(rows: list[dict[str, Any]]) -> None:
    state = belief.State(home(), NAMES, keep="1 hour")
    state.see(timed(rows))
    state.advance(HOUR)
    back = state.where("A", at=max(state.clock - 50 * MINUTE, timed(rows)[0]["ts"]))
    for shares in (state.where("A"), back, state.joint("A", "B", "C")):
        assert sum(shares.values()) == pytest.approx(1)
    assert sum(state.how_many("LR").distribution) == pytest.approx(1)
    assert sum(share for _, share in state.who("LR")) == pytest.approx(1)
    expected = sum(state.present("LR").values())
    assert state.how_many("LR").expected == pytest.approx(expected)


@examples(40)
@given(ROWS, st.integers(0, 6))
def test_how_the_rows_are_cut_makes_no_difference(rows: list[dict[str, Any]], cut: int) -> None:
    rows = timed(rows)
    whole, cut_up = belief.State(home(), NAMES), belief.State(home(), NAMES)
    whole.see(rows)
    cut_up.see(rows[:cut])
    cut_up.see(rows[cut:])
    assert answers(cut_up) == pytest.approx(answers(whole), abs=1e-12)
    assert cut_up.changes() == whole.changes()


@examples(40)
@given(ROWS, st.integers(0, 6))
def test_a_state_that_is_resumed_goes_on_as_if_nothing_had_been(rows: list[dict[str, Any]], cut: int) -> None:
    rows = timed(rows)
    first = belief.State(home(), {name: {"of": "the house"} for name in NAMES}, keep="1 hour")
    first.see(rows[:cut])
    second = belief.State.resume(home(), first.snapshot())
    for state in (first, second):
        state.see(rows[cut:])
        state.advance(11 * MINUTE)
    assert answers(second) == answers(first)
    assert second.where("A", at=11 * MINUTE) == first.where("A", at=11 * MINUTE)
    assert second.changes() == first.changes()


def test_the_order_of_independent_sightings_at_one_time_makes_no_difference() -> None:
    rows = [
        {"ts": MINUTE, "sensor": "lr-cam", "entity": "A"},
        {"ts": MINUTE, "sensor": "lr-cam", "entity": "B"},
        {"ts": MINUTE, "sensor": "br-cam", "entity": "C", "sure": 0.8},
    ]
    found = []
    for order in permutations(rows):
        state = belief.State(home(), NAMES)
        state.alive("lr-cam", MINUTE - SECOND)
        state.see(list(order))
        found.append(answers(state))
    assert all(each == pytest.approx(found[0], abs=1e-12) for each in found)


def test_passing_time_in_pieces_is_passing_it_at_once() -> None:
    at_once, in_pieces = (belief.State(home(), NAMES, start={"A": "LR"}) for _ in range(2))
    for ts in (0, 7, MINUTE, HOUR):
        in_pieces.advance(ts)
    at_once.advance(0)
    at_once.advance(HOUR)
    assert answers(in_pieces) == pytest.approx(answers(at_once), abs=1e-12)


def test_dicts_and_arrow_say_the_same() -> None:
    rows = [
        {"ts": 0, "sensor": "door", "entity": "A", "to": "LR", "entities": None, "sure": 0.9},
        {"ts": 10, "sensor": "br-cam", "entity": None, "to": None, "entities": [("A", 0.5)], "sure": None},
    ]
    kinds = {"ts": pa.int64(), "sensor": pa.string(), "entity": pa.string(), "to": pa.string()}
    schema = pa.schema(kinds | {"entities": pa.map_(pa.string(), pa.float64()), "sure": pa.float64()})
    dicts, arrow = belief.State(home(), NAMES), belief.State(home(), NAMES)
    dicts.see(rows)
    arrow.see(pa.RecordBatch.from_pylist(rows, schema))
    assert answers(arrow) == answers(dicts)


def test_the_silence_of_a_working_watch_is_evidence_and_of_one_that_is_down_it_is_none() -> None:
    working, down, untold = (belief.State(home(), ["A"], start={"A": "LR"}) for _ in range(3))
    for state in (working, down, untold):
        state.see([{"ts": 0, "sensor": "lr-cam", "entity": "A"}])
    for ts in range(SECOND, 6 * SECOND, SECOND):
        working.alive("lr-cam", ts)
    for state in (working, down, untold):
        state.advance(5 * SECOND)
    assert working.is_in("A", "LR") < 0.1
    assert down.is_in("A", "LR") == untold.is_in("A", "LR") > 0.99


def test_who_others_are_heard_by_is_no_longer_working_silence_after_a_gap() -> None:
    """A sign of life speaks for the time since the last one, but after ten polls only for one."""
    soon, late = (belief.State(home(), ["A"], start={"A": "LR"}) for _ in range(2))
    for state, gap in ((soon, 10 * SECOND), (late, 11 * SECOND)):
        state.alive("lr-cam", 0)
        state.alive("lr-cam", gap)
    assert soon.is_in("A", "LR") < 1e-3
    assert late.is_in("A", "LR") > 0.5


def test_several_readings_of_one_poll_are_one() -> None:
    once, often = (belief.State(home(), ["A"], start={"A": {"LR": 0.1, "BR": 0.9}}) for _ in range(2))
    for state, times in ((once, [0]), (often, [0, 100, 300])):
        state.see([{"ts": ts, "sensor": "lr-cam", "entity": "A"} for ts in times])
        state.advance(300)
    assert often.is_in("A", "LR") == pytest.approx(once.is_in("A", "LR"), abs=1e-3)


def test_what_could_not_be_is_believed_when_it_is_seen() -> None:
    state = belief.State(home(), ["A"], start={"A": "outside"})
    state.see([{"ts": 0, "sensor": "br-cam", "entity": "A"}])
    assert state.where("A") == pytest.approx({"BR": 1})


def test_nobody_who_could_be_there_leaves_all_as_it_was() -> None:
    state = belief.State(home(), ["A"], start={"A": "outside"})
    state.see([{"ts": 0, "sensor": "br-cam"}])
    assert state.where("A") == {"outside": 1}


@pytest.mark.parametrize(("people", "approximate"), [(10, False), (11, True)])
def test_a_joint_distribution_is_exact_up_to_a_hundred_thousand_cells(people: int, approximate: bool) -> None:
    names = [f"P{i}" for i in range(people)]
    state = belief.State(home(), names)
    state.see([{"ts": 0, "sensor": "br-cam"}])
    assert state.approximate is approximate
    assert state.is_in("P0", "BR") == pytest.approx(1 / people + (1 - 1 / people) / 3)


def test_sightings_that_name_their_entities_tie_nobody() -> None:
    names = [f"P{i}" for i in range(20)]
    state = belief.State(home(), names)
    state.see([{"ts": 0, "sensor": "br-cam", "entity": name, "sure": 0.9} for name in names])
    assert not state.approximate
    both = state.joint("P0", "P1")["BR", "BR"]
    assert both == pytest.approx(state.is_in("P0", "BR") * state.is_in("P1", "BR"))


def test_who_is_heard_where_nobody_could_be_is_most_likely_where_the_sensor_hears_best() -> None:
    state = belief.State(home(), NAMES, start={"A": "outside"})
    state.see([{"ts": 0, "sensor": "lr-cam", "entity": "A", "sure": 0.9}])
    sensor = home().sensors["lr-cam"]
    heard = {sensor.place: sensor.hit, **sensor.stray}
    expected = {place: 0.9 * chance / sum(heard.values()) for place, chance in heard.items()}
    assert state.where("A") == pytest.approx({**expected, "outside": 0.1})
