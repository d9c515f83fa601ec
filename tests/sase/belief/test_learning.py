"""Learning without labels: known rates are found again, likelihood is never lost, a model is written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from sase import belief
from sase.belief.world.stays import phases
from tests.sase.belief.home import HOUR, home
from tests.sase.belief.simulated import Day, simulated

TRUE = {
    "lr-cam": belief.Watch("LR", hit=0.6, every="1 second", stray={"BR": 0.08, "outside": 0.002}),
    "br-cam": belief.Watch("BR", hit=0.8, every="1 second", stray={"LR": 0.03, "outside": 0.002}),
}
GUESSED = {
    "lr-cam": belief.Watch("LR", hit=0.9, every="1 second"),
    "br-cam": belief.Watch("BR", hit=0.9, every="1 second"),
}
WAYS = {"outside": {"LR": 1.0}, "LR": {"outside": 0.2, "BR": 0.8}, "BR": {"LR": 1.0}}


def truth() -> belief.Model:
    return home(sensors=TRUE, stays={"room": "1 minute", "outside": "2 minutes"}, shares=WAYS)


def guess() -> belief.Model:
    return home(sensors=GUESSED, stays={"room": "5 minutes", "outside": "5 minutes"})


@pytest.fixture(scope="module")
def day() -> Day:
    return simulated(truth(), people=12, seconds=3000, seed=5)


@pytest.fixture(scope="module")
def learned(day: Day) -> belief.Model:
    return belief.learn(day.rows, guess())


def test_what_sensors_hear_is_found_again(learned: belief.Model) -> None:
    for name, true in TRUE.items():
        found = learned.sensors[name]
        assert found.hit == pytest.approx(true.hit, abs=0.03)
        inside = "BR" if true.place == "LR" else "LR"
        assert found.stray[inside] == pytest.approx(true.stray[inside], abs=0.02)


def test_how_long_one_stays_and_where_one_goes_is_found_again(learned: belief.Model) -> None:
    for kind, length in (("room", 60_000), ("outside", 120_000)):
        mean = sum(phase.share * phase.stay for phase in phases(learned.stays[kind], kind))
        assert len(phases(learned.stays[kind], kind)) == 3
        assert mean == pytest.approx(length, rel=0.35)
    assert learned.shares["LR"]["BR"] == pytest.approx(0.8, abs=0.1)


def test_likelihood_is_never_lost_and_told_of_what_was_held_back(day: Day, learned: belief.Model) -> None:
    figures = learned.learned["log likelihood"]
    assert figures["learned from"]["after"] > figures["learned from"]["before"]
    assert figures["held back"]["after"] > figures["held back"]["before"]
    assert belief.likelihood(day.rows, learned) > belief.likelihood(day.rows, guess())


@pytest.mark.parametrize("seed", range(4))
def test_of_a_few_sightings_not_much_is_learned_and_nothing_lost(seed: int) -> None:
    few = simulated(truth(), people=1, seconds=40, seed=seed)
    found = belief.learn(few.rows, guess())
    figures = found.learned["log likelihood"]["learned from"]
    assert figures["after"] >= figures["before"]
    assert found.sensors["lr-cam"].hit == pytest.approx(0.9, abs=0.08)


def test_learning_again_from_what_was_learned_loses_nothing(day: Day, learned: belief.Model) -> None:
    again = belief.learn(day.rows, learned)
    figures = again.learned["log likelihood"]["learned from"]
    assert figures["after"] >= figures["before"]


def test_what_was_learned_places_people_better_than_the_guess(learned: belief.Model) -> None:
    later = simulated(truth(), people=5, seconds=300, seed=99)
    right = {}
    for name, model in (("learned", learned), ("guess", guess())):
        state = belief.State(model, later.names)
        places = list(model.places)
        found = 0
        for second in range(300):
            for sensor in model.sensors:
                state.alive(sensor, second * 1000)
            state.see([row for row in later.rows if row["ts"] == second * 1000])
            best = [max(where, key=where.__getitem__) for where in map(state.where, later.names)]
            found += sum(places.index(x) == y for x, y in zip(best, later.places[second], strict=True))
        right[name] = found / later.places.size
    assert right["learned"] > max(0.9, right["guess"])


def test_what_changed_is_told_in_words(learned: belief.Model) -> None:
    words = learned.learned["changed"]
    assert any(each.startswith("br-cam hears") and "of what is in LR at a poll" in each for each in words)
    assert any("of those who leave LR go to BR, not 50%" in each for each in words)
    assert any(
        each.startswith("one stays") and "in a place of kind room, not 5 min" in each for each in words
    )


def test_what_was_learned_survives_a_file(tmp_path: Path, learned: belief.Model) -> None:
    learned.save(tmp_path / "model.yaml")
    assert belief.Model.load(tmp_path / "model.yaml") == learned
    text = (tmp_path / "model.yaml").read_text()
    assert "share: " in text
    assert "br-cam:\n    watch:\n      place: BR" in text


def test_an_unlearned_model_survives_a_file(tmp_path: Path) -> None:
    home().save(tmp_path / "model.yaml")
    assert belief.Model.load(tmp_path / "model.yaml") == home()


def test_who_comes_at_this_hour_is_who_came() -> None:
    """A comes in the mornings, B in the evenings; the door sees somebody, of whom it cannot say who."""
    day, first = 24 * HOUR, 4 * 24 * HOUR  # a Monday
    rows = [
        {"ts": first + week * 7 * day + hour * HOUR, "sensor": "door", "entity": name, "to": "LR"}
        for week in range(2)
        for name, hour in (("A", 8), ("B", 18))
    ]
    model = belief.learn(rows, home())
    for hour, who in ((8, "A"), (18, "B")):
        state = belief.State(model, ["A", "B"], start={"A": "outside", "B": "outside"})
        state.see([{"ts": first + 14 * day + hour * HOUR, "sensor": "door", "to": "LR"}])
        assert state.is_in(who, "LR") > 0.55


def test_a_recording_that_names_nobody_teaches_nothing() -> None:
    with pytest.raises(ValueError, match="no sighting names an entity"):
        belief.learn([{"ts": 0, "sensor": "lr-cam"}], home())
    with pytest.raises(ValueError, match="alive: there is no sensor 'x'"):
        belief.learn([{"ts": 0, "sensor": "lr-cam", "entity": "A"}], home(), alive=[(0, "x")])
    with pytest.raises(ValueError, match="time goes back"):
        belief.learn([{"ts": ts, "sensor": "lr-cam", "entity": "A"} for ts in (1, 0)], home())
