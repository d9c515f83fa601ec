"""Radios that are not kind: each dial does what its name says, and nothing depends on how time is sliced."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.place.radio import PRESETS, RadioDials
from app.place.scenario import Scenario, load
from simulator.play import Play
from simulator.sensors.chance import mixed, student
from simulator.sensors.radio import Radio
from simulator.sensors.reads import Reads, StampedReads
from simulator.worlds.world import MINUTE, Presences

SILENT = RadioDials(misses=0, ghosts=0, repeats=0, crossings=0, skew_ms=0)
HOUR = 60 * MINUTE
SHOES, MAIN_EXIT, TILL = 3, 10, 8  # areas of the store


@pytest.fixture(scope="module")
def store() -> Scenario:
    return load(Path("scenarios/store.yaml"))


def lying(tags: range, area: int, begun: int = 0, until: int = HOUR, since: int = 0) -> Presences:
    every = np.array(tags, np.int64)
    return Presences(every, 0 * every + area, 0 * every + since, 0 * every + until, begun, until)


def heard(store: Scenario, dials: RadioDials, presences: Presences, seed: int = 1) -> Reads:
    reads = Radio(store, dials, seed).hear(presences).reads
    return reads.only(reads.tag >= 0)


def rates(reads: Reads, tags: range, polls: int) -> np.ndarray:
    return np.bincount(reads.tag, minlength=tags.stop)[tags.start :] / polls


def test_each_tag_has_a_read_rate_of_its_material(store: Scenario) -> None:
    dials = replace(SILENT, material=(0.6, 0.9))
    found = rates(heard(store, dials, lying(range(500), 0)), range(500), 360)
    assert found.mean() == pytest.approx(0.75, abs=0.01)
    assert np.quantile(found, [0.1, 0.9]) == pytest.approx([0.63, 0.87], abs=0.03)


def test_a_mute_tag_never_answers_not_even_next_door_or_at_a_gate(store: Scenario) -> None:
    dials = replace(PRESETS["real-shop"], ghosts=0, mute=0.1)
    silent = 1000 - len(set(heard(store, dials, lying(range(1000), SHOES)).tag.tolist()))
    assert silent / 1000 == pytest.approx(0.1, abs=0.03)


def test_something_hides_items_of_one_product_together(store: Scenario) -> None:
    dials = replace(SILENT, hiding=2.0)
    reads = heard(store, dials, lying(range(2000), 0))
    missing = 1 - rates(reads, range(2000), 360)
    assert missing.mean() == pytest.approx(2 * 4 / 60 * 0.65, abs=0.03)
    products = np.array(store.items.column("product").to_pylist())
    by_product = {name: missing[products == name] for name in set(products.tolist())}
    assert sum(one.max() > 0 for one in by_product.values()) > sum(missing > 0) / 40
    assert heard(store, dials, lying(range(2000), TILL, until=MINUTE)).ts.size == 2000 * 120


def test_a_gate_hears_some_of_the_nearest_shelf_in_bursts(store: Scenario) -> None:
    dials = replace(SILENT, gate_bursts=4.0)
    hours = 20
    reads = heard(store, dials, lying(range(200), SHOES, until=hours * HOUR))
    gate = reads.only(reads.reader == 10)
    assert set(reads.reader.tolist()) == {3, 10}
    assert 0.05 < len(set(gate.tag.tolist())) / 200 < 0.45
    bursts = 1 + int((np.diff(np.sort(gate.ts)) > 5_000).sum())
    assert bursts == pytest.approx(4 * hours, rel=0.3)
    assert gate.rssi.min() >= -60
    assert gate.rssi.max() <= -48
    far = heard(store, dials, lying(range(200), 0, until=hours * HOUR))
    assert set(far.reader.tolist()) == {0}


@pytest.mark.parametrize(
    ("preset", "fewest", "most", "longest"), [("real-shop", 2, 6, 2), ("long-bursts", 4, 20, 6)]
)
def test_a_tag_in_a_burst_is_read_as_often_as_the_dials_say(
    store: Scenario, preset: str, fewest: int, most: int, longest: int
) -> None:
    shop = PRESETS[preset]
    dials = replace(SILENT, gate_bursts=1.0, burst_reads=shop.burst_reads, burst_ms=shop.burst_ms)
    reads = heard(store, dials, lying(range(200), SHOES, until=40 * HOUR))
    gate = reads.only(reads.reader == 10)
    one = np.sort(gate.ts[gate.tag == np.bincount(gate.tag).argmax()])
    groups = np.split(one, np.flatnonzero(np.diff(one) > 20_000) + 1)
    assert min(map(len, groups)) >= fewest
    assert max(map(len, groups)) <= most
    assert max(group[-1] - group[0] for group in groups) < longest * 1000


def test_bodies_stand_in_the_way_at_gates_and_seldom_at_tills(store: Scenario) -> None:
    dials = replace(SILENT, bodies=0.3)
    at_gate, at_till = (
        rates(heard(store, dials, lying(range(1000), area, until=10_000)), range(1000), polls)
        for area, polls in ((MAIN_EXIT, 40), (TILL, 20))
    )
    assert (at_gate < 0.5).mean() == pytest.approx(0.3, abs=0.05)
    assert at_gate[at_gate < 0.5].mean() == pytest.approx(0.1, abs=0.03)
    assert (at_till < 0.5).mean() == pytest.approx(0.03, abs=0.02)


def test_strengths_have_heavy_tails_and_a_lasting_offset(store: Scenario) -> None:
    reads = heard(store, replace(SILENT, heavy_tails=True), lying(range(300), 0))
    means = np.array([np.median(reads.rssi[reads.tag == tag]) for tag in range(300)])
    assert means.std() == pytest.approx(4, abs=0.6)
    assert np.median(reads.rssi) == pytest.approx(-52, abs=1)
    drawn = student(mixed(np.arange(200_000), 1))
    assert np.quantile(drawn, [0.5, 0.9, 0.99]) == pytest.approx([0, 1.638, 4.541], abs=0.06)


def test_strays_are_heard_next_door_whether_the_own_reader_hears_them_or_not(store: Scenario) -> None:
    reads = heard(store, replace(SILENT, misses=0.9, strays=0.05), lying(range(100), 0))
    assert (reads.reader != 0).sum() / 36_000 == pytest.approx(0.05, abs=0.005)


def test_what_is_carried_past_a_shelf_is_read_there_one_to_three_times(store: Scenario) -> None:
    walks = tuple((tag, 10_000) for tag in range(1000))
    walking = replace(lying(range(0), 0), walks=walks)
    reads = heard(store, replace(SILENT, passing=0.5), walking)
    times = np.bincount(reads.tag, minlength=1000)
    assert (times > 0).mean() == pytest.approx(0.5, abs=0.05)
    assert set(times.tolist()) == {0, 1, 2, 3}
    assert reads.ts.min() >= 10_300
    assert reads.ts.max() < 14_000
    assert set(reads.reader.tolist()) <= set(range(8))


def test_clocks_drift_from_the_beginning_on(store: Scenario) -> None:
    dials = replace(SILENT, drift=50.0)
    radio = Radio(store, dials, 3, origin=0)
    errors = [statuses(radio, at) for at in (0, 100 * HOUR)]
    assert not errors[0].any()
    assert abs(errors[1]).max() <= 50e-6 * 100 * HOUR
    assert len(set(errors[1].tolist())) == 12


def statuses(radio: Radio, at: int) -> np.ndarray:
    """How far each reader's clock is ahead then."""
    told = radio.hear(lying(range(0), 0, at, at + 1000))
    order = np.argsort(told.reads.reader)
    return (told.reads.ts - told.arrives)[order]


def test_a_reader_holds_its_reports_back_and_lets_them_go_at_once(store: Scenario) -> None:
    told = Radio(store, replace(SILENT, holds=2.0), 1).hear(lying(range(200), 0, until=10 * HOUR))
    held = told.arrives - told.reads.ts
    mine = told.reads.reader == 0
    ends = np.unique(told.arrives[mine & (held > 0)])
    assert len(ends) == pytest.approx(20, abs=10)
    assert 30_000 <= held.max() <= 60_000
    assert held.min() == 0


def test_a_held_report_is_in_the_scene_in_which_it_arrives(store: Scenario) -> None:
    play = Play(store, 1, radio="real-shop", length_ms=30 * MINUTE)
    scenes = list(play.scenes())
    assert all((scene.arrives < scene.until).all() for scene in scenes[:-1])
    assert any((scene.arrives - scene.reports["ts"].to_numpy() > 30_000).any() for scene in scenes)


@pytest.mark.parametrize("preset", ["real-shop", "twice-as-bad", "long-bursts"])
def test_nothing_depends_on_how_time_is_sliced(store: Scenario, preset: str) -> None:
    tags = range(300)
    whole = Radio(store, PRESETS[preset], 7).hear(lying(tags, SHOES))
    radio = Radio(store, PRESETS[preset], 7)
    parts = [
        radio.hear(lying(tags, SHOES, begun, begun + HOUR // 10)) for begun in range(0, HOUR, HOUR // 10)
    ]
    assert sorted(rows(whole)) == sorted(row for part in parts for row in rows(part))


def rows(told: StampedReads) -> list[tuple[float, ...]]:
    return list(zip(*(column.tolist() for column in (*told.reads, told.arrives)), strict=True))


@pytest.mark.parametrize(("preset", "rate"), [("kind", 0.92), ("real-shop", 0.73), ("twice-as-bad", 0.56)])
def test_the_presets_read_as_much_as_was_measured_for_them(store: Scenario, preset: str, rate: float) -> None:
    own = replace(PRESETS[preset], ghosts=0, repeats=0, crossings=0, strays=0, gate_bursts=0)
    assert len(heard(store, own, lying(range(2000), 0)).ts) / 720_000 == pytest.approx(rate, abs=0.02)


@pytest.mark.parametrize("name", ["store", "ward", "library"])
def test_the_world_is_the_same_whatever_the_radio(name: str) -> None:
    place = load(Path("scenarios") / f"{name}.yaml")
    told = []
    for preset in PRESETS:
        play = Play(place, 5, radio=preset, length_ms=HOUR)
        incidents = [one for scene in play.scenes(10 * MINUTE) for one in scene.incidents]
        told.append([one for one in incidents if one.detector != "clock"])
    assert all(one == told[0] for one in told)


def test_a_clock_that_is_off_is_part_of_the_truth(store: Scenario) -> None:
    play = Play(store, 1, radio="real-shop", length_ms=MINUTE)
    told = [one.subject for one in play.step(MINUTE).incidents if one.detector == "clock"]
    off = [
        reader.name
        for reader, ahead in zip(store.plan.readers, play.clock_errors.tolist(), strict=True)
        if abs(ahead) >= 1000
    ]
    assert told == off
    assert 2 <= len(off) <= 10


def test_the_same_reads_come_in_order_when_clocks_are_right_and_nothing_is_held_back(store: Scenario) -> None:
    shop = PRESETS["real-shop"]
    right = replace(shop, skew_ms=0, drift=0.0, holds=0.0)
    one, other = (Radio(store, dials, 7).hear(lying(range(200), SHOES)).reads for dials in (shop, right))
    assert len(one.ts) == len(other.ts)
    assert sorted(zip(one.tag, one.reader, one.rssi, strict=True)) == sorted(
        zip(other.tag, other.reader, other.rssi, strict=True)
    )
