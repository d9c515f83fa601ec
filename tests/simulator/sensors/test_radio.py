"""The radios: their noise is as promised, and depends on the seed alone."""

from pathlib import Path

import numpy as np
import pytest

from app.place.radio import RadioDials
from app.place.scenario import Scenario, load
from simulator.sensors.radio import Radio
from simulator.sensors.reads import Reads
from simulator.worlds.world import Presences

SILENT = RadioDials(misses=0, ghosts=0, repeats=0, crossings=0, skew_ms=0)
HOUR = 3_600_000


@pytest.fixture(scope="module")
def store() -> Scenario:
    return load(Path("scenarios/store.yaml"))


def lying(
    count: int, area: int, start: int = 0, end: int = HOUR, outages: tuple[tuple[int, int, int], ...] = ()
) -> Presences:
    tags = np.arange(count)
    return Presences(
        tags, np.full(count, area), np.full(count, start), np.full(count, end), start, end, outages
    )


def heard(store: Scenario, dials: RadioDials, presences: Presences, seed: int = 1) -> Reads:
    reads = Radio(store, dials, seed).hear(presences).reads
    return reads.only(reads.tag >= 0)


def test_a_perfect_radio_reads_every_tag_once_a_period(store: Scenario) -> None:
    reads = heard(store, SILENT, lying(100, 0))
    assert len(reads.ts) == 100 * 360
    assert set(reads.reader.tolist()) == {0}


def test_misses_are_as_frequent_as_promised(store: Scenario) -> None:
    dials = RadioDials(misses=0.08, ghosts=0, repeats=0, crossings=0, skew_ms=0)
    assert len(heard(store, dials, lying(100, 0)).ts) / 36_000 == pytest.approx(0.92, abs=0.01)


def test_repeats_come_on_top(store: Scenario) -> None:
    dials = RadioDials(misses=0, ghosts=0, repeats=0.05, crossings=0, skew_ms=0)
    assert len(heard(store, dials, lying(100, 0)).ts) / 36_000 == pytest.approx(1.05, abs=0.01)


def test_neighbours_overhear_weakly(store: Scenario) -> None:
    dials = RadioDials(misses=0, ghosts=0, repeats=0, crossings=0.02, skew_ms=0)
    reads = heard(store, dials, lying(100, 0))
    over = reads.only(reads.reader != 0)
    neighbours = {one.name for one in store.plan.neighbours(store.plan.readers[0])}
    assert {store.plan.readers[index].name for index in over.reader.tolist()} == neighbours
    assert len(over.ts) / 36_000 == pytest.approx(0.02, abs=0.005)
    assert over.rssi.mean() < reads.only(reads.reader == 0).rssi.mean() - 10


def test_ghosts_appear_anywhere(store: Scenario) -> None:
    dials = RadioDials(misses=0, ghosts=0.002, repeats=0, crossings=0, skew_ms=0)
    reads = heard(store, dials, lying(100, 0))
    ghosts = reads.only(reads.reader != 0)
    assert 30 < len(ghosts.ts) < 130
    assert len(set(ghosts.reader.tolist())) > 5


def test_clocks_are_off_by_no_more_than_the_skew(store: Scenario) -> None:
    dials = RadioDials(misses=0, ghosts=0, repeats=0, crossings=0, skew_ms=200)
    off = [
        int(abs(heard(store, dials, lying(1, area)).ts - heard(store, SILENT, lying(1, area)).ts).max())
        for area in range(12)
    ]
    assert max(off) <= 200
    assert len(set(off)) > 5


def test_a_reader_that_is_down_reports_nothing_not_even_its_status(store: Scenario) -> None:
    radio = Radio(store, SILENT, 1)
    reads = radio.hear(lying(10, 0, outages=((0, 600_000, 1_200_000),))).reads
    gap = reads.only((reads.reader == 0) & (reads.ts >= 600_000) & (reads.ts < 1_200_000))
    assert len(gap.ts) == 0


def test_the_same_seed_gives_the_same_reads_however_time_is_sliced(store: Scenario) -> None:
    radio = Radio(store, RadioDials(skew_ms=0), 7)
    whole = radio.hear(lying(50, 3)).reads
    parts = [
        radio.hear(lying(50, 3, start, start + HOUR // 10)).reads for start in range(0, HOUR, HOUR // 10)
    ]
    assert sorted(zip(*map(list, whole), strict=True)) == sorted(
        row for part in parts for row in zip(*map(list, part), strict=True)
    )


def test_another_seed_gives_other_reads(store: Scenario) -> None:
    one, other = (heard(store, RadioDials(), lying(50, 3), seed) for seed in (1, 2))
    assert one.ts.tolist() != other.ts.tolist()
