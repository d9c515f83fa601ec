"""Figures of whereabouts beside what is asked of them: small ones by hand, short plays for the rest."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from app.detection.score import Score
from app.place.radio import PRESETS
from app.place.scenario import load
from benchmarks.whereabouts.how_many import HowManyRight, how_many_right
from benchmarks.whereabouts.ordering import clocks_only, fall, in_order
from benchmarks.whereabouts.quiet import QuietDays, quiet_days
from benchmarks.whereabouts.strange_radio import Interfered
from simulator.play import Play
from simulator.worlds.world import MINUTE


def test_a_quiet_day_with_two_likely_alerts_is_one_too_many() -> None:
    assert str(QuietDays([3, 0], [2, 0], [0, 0])).endswith("met")
    assert str(QuietDays([3, 2], [2, 1], [0, 0])).endswith("missed")
    assert str(QuietDays([1, 0], [1, 0], [1, 0])).endswith("missed")


def test_intervals_that_hold_less_often_than_they_say_are_told() -> None:
    assert "off by 0.050" in str(HowManyRight(100, 0.93, 0.88))
    assert str(HowManyRight(100, 0.93, 0.9)).endswith("met")


def test_what_wrong_clocks_cost_is_the_larger_loss() -> None:
    before, after = Score("shoplifting", 99, 1, 1, ()), Score("shoplifting", 90, 10, 0, ())
    told = fall({"shoplifting": before}, {"shoplifting": after}, 0.01)
    assert "shoplifting +0.090" in told
    assert told.endswith("missed")
    assert fall({"shoplifting": before}, {"shoplifting": before}, 0.01).endswith("met")


def test_reads_in_order_are_the_same_but_for_clocks_and_held_reports() -> None:
    real = PRESETS["real-shop"]
    assert in_order(real) == replace(clocks_only(real), skew_ms=0, drift=0.0)
    assert clocks_only(real).skew_ms == real.skew_ms > 0


def test_interference_takes_reads_of_single_readers_and_no_sign_of_life() -> None:
    store = load(Path("scenarios/store.yaml"))
    counts = []
    for played in (Play, Interfered):
        play = played(store, 3, radio="kind", length_ms=30 * MINUTE, parts=("rates",))
        kinds = pa.concat_arrays([scene.reports["kind"] for scene in play.scenes(30 * MINUTE)])
        counts.append([pc.sum(pc.equal(kinds, kind)).as_py() for kind in ("reading", "status")])
    (reads, status), (fewer, same) = counts
    assert 0.8 * reads < fewer < reads
    assert same == status > 0


def test_some_minutes_of_the_store_say_how_many_and_are_quiet() -> None:
    radio = PRESETS["real-shop"]
    found = how_many_right(load(Path("scenarios/store.yaml")), radio, [3], 15 * MINUTE)
    assert found.wide > 0
    assert 0.9 <= found.stated <= 1.0
    assert found.inside > 0.5
    quiet = quiet_days(load(Path("scenarios/quiet_day.yaml")), radio, [3], 20 * MINUTE)
    assert (quiet.likely, quiet.certain) == ([0], [0])
