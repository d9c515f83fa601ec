"""The fast filter beside the full one: the same places, the same changes, however the input is cut."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sase import belief
from sase.belief import state as state_module
from tests.sase.belief.home import MINUTE, SECOND, home
from tests.sase.belief.simulated import Day, simulated

STAYS = {"room": "1 minute", "outside": "2 minutes"}
SENSORS = {
    "lr-cam": belief.Watch("LR", hit=0.7, every="1 second", stray={"BR": 0.05}),
    "br-cam": belief.Watch("BR", hit=0.7, every="1 second", stray={"LR": 0.05}),
    "out-cam": belief.Watch("outside", hit=0.7, every="1 second"),
    "door": belief.Gate("outside", "LR", hit=0.9),
}


def model() -> belief.Model:
    return home(sensors=SENSORS, stays=STAYS)


@pytest.fixture(scope="module")
def day() -> Day:
    return simulated(home(sensors={k: v for k, v in SENSORS.items() if k != "door"}, stays=STAYS), 60, 240, 3)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty count as many."""
    monkeypatch.setattr(state_module, "MANY", 10)


def batch(rows: list[dict[str, Any]]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(rows)


def played(state: belief.State, day: Day, since: int = 0, until: int = 240, cut: int = 1) -> np.ndarray:
    """Where everybody most probably is, second by second; each second comes in some pieces."""
    found = []
    for second in range(since, until):
        for sensor in ("lr-cam", "br-cam", "out-cam"):
            state.alive(sensor, second * SECOND)
        rows = [row for row in day.rows if row["ts"] == second * SECOND]
        for piece in range(cut):
            state.see(batch(rows[piece::cut]))
        shares = [state.present(place) for place in model().places]
        chances = np.array([[share[name] for share in shares] for name in day.names])
        found.append(chances.argmax(axis=1))
    return np.array(found)


@pytest.fixture(scope="module")
def of_full(day: Day) -> tuple[belief.State, np.ndarray, list[dict[str, Any]]]:
    state = belief.State(model(), day.names, keep="10 minutes")
    places = played(state, day)
    return state, places, state.changes()


@pytest.mark.usefixtures("few")
def test_it_finds_the_places_that_the_full_filter_finds(day: Day, of_full: Any) -> None:
    _, expected, _ = of_full
    found = played(belief.State(model(), day.names), day)
    assert (found == expected).mean() > 0.99
    assert (found[5:] == day.places[5:]).mean() > 0.95


@pytest.mark.usefixtures("few")
def test_it_tells_the_changes_that_the_full_filter_tells(day: Day, of_full: Any) -> None:
    _, _, expected = of_full
    state = belief.State(model(), {name: {"age": 7} for name in day.names})
    played(state, day)
    told = state.changes()
    keys = [
        [(each["event"], each["entity"], each["place"]) for each in events] for events in (told, expected)
    ]
    assert len(set(keys[0]) ^ set(keys[1])) <= 0.03 * len(expected)
    assert {each["age"] for each in told} == {7}
    assert all(0 < each["prob"] <= 1 for each in told)
    assert state.changes() == []


@pytest.mark.usefixtures("few")
def test_how_the_input_is_cut_makes_no_difference(day: Day) -> None:
    whole, pieces = (belief.State(model(), day.names) for _ in range(2))
    assert (played(whole, day, until=60) == played(pieces, day, until=60, cut=3)).mean() > 0.999
    assert pieces.how_many("LR").expected == pytest.approx(whole.how_many("LR").expected, abs=0.01)


@pytest.mark.usefixtures("few")
def test_it_goes_on_where_it_was_resumed(day: Day) -> None:
    first = belief.State(model(), day.names, keep="1 minute")
    played(first, day, until=100)
    second = belief.State.resume(model(), first.snapshot())
    assert (played(first, day, 100, 120) == played(second, day, 100, 120)).all()
    assert second.changes() == first.changes()
    assert second.where("P3", at=100 * SECOND) == first.where("P3", at=100 * SECOND)


@pytest.mark.usefixtures("few")
def test_it_looks_back_as_the_full_filter_does(day: Day, of_full: Any) -> None:
    whole, _, _ = of_full
    state = belief.State(model(), day.names, keep="2 minutes")
    played(state, day)
    for name in day.names[:10]:
        back, expected = (each.where(name, at=180 * SECOND) for each in (state, whole))
        assert max(back, key=back.__getitem__) == max(expected, key=expected.__getitem__)
    with pytest.raises(ValueError, match="nothing is kept from before"):
        state.where("P0", at=10 * SECOND)


@pytest.mark.usefixtures("few")
def test_gates_guesses_and_sightings_of_nobody_are_taken_as_well() -> None:
    names = [f"P{i}" for i in range(20)]
    state = belief.State(model(), names, start=dict.fromkeys(names, "outside"))
    state.see([{"ts": 0, "sensor": "door", "entity": "P0", "to": "LR"}])
    assert state.is_in("P0", "LR") == pytest.approx(1)
    assert not state.approximate
    state.see([{"ts": SECOND, "sensor": "lr-cam", "entities": {"P1": 0.5, "P2": 0.5}}])
    assert state.approximate
    state.see([{"ts": SECOND, "sensor": "door", "to": "LR"}])
    assert 0.01 < state.is_in("P3", "LR") < 0.5
    state.advance(30 * MINUTE)
    assert sum(state.where("P3").values()) == pytest.approx(1)
    assert {"LEFT"} <= {each["event"] for each in state.changes()}


@pytest.mark.usefixtures("few")
def test_what_is_wrong_with_a_batch_is_told_as_of_dicts(day: Day) -> None:
    state = belief.State(model(), day.names)
    state.see(batch(day.rows[:50]))
    with pytest.raises(ValueError, match="sighting 1: time goes back"):
        state.see(batch([{**day.rows[0], "ts": -1}]))
    with pytest.raises(ValueError, match="there is no entity 'Nobody'"):
        state.see(batch([{**day.rows[50], "entity": "Nobody"}]))


@pytest.mark.usefixtures("few")
def test_other_limits_hold_from_the_call_on(day: Day) -> None:
    state = belief.State(model(), day.names)
    played(state, day, until=10)
    state.changes()
    early = state.changes(above=0.5, below=0.1)
    assert {each["event"] for each in early} <= {"ENTERED"}
