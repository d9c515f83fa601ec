"""The radio of a scenario: a preset, dials like one, and what is wrong with them, in words."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.place.radio import PRESETS, REAL_SHOP, RadioDials
from app.place.scenario import load
from tests.app.place.test_scenario import GOOD, faults, written

NOISE = "  noise: {misses: 0.1}\n"


def dials(folder: Path, line: str) -> RadioDials:
    simulation = load(written(folder, GOOD.replace(NOISE, line))).simulation
    assert simulation is not None
    return simulation.radio


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_named(tmp_path: Path, name: str) -> None:
    assert dials(tmp_path, f"  radio: {name}\n") == PRESETS[name]


def test_dials_differ_from_the_preset_that_they_are_like(tmp_path: Path) -> None:
    line = "  radio: {like: real-shop, mute: 0, material: [0.5, 0.9], skew: 1 second, open_tills: true}\n"
    wanted = replace(REAL_SHOP, mute=0, material=(0.5, 0.9), skew_ms=1000, open_tills=True)
    assert dials(tmp_path, line) == wanted


def test_noise_sets_dials_of_a_kind_radio_as_before(tmp_path: Path) -> None:
    assert dials(tmp_path, NOISE) == RadioDials(misses=0.1)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  radio: real-shp\n", "unknown 'real-shp': one of kind, real-shop"),
        ("  radio: {like: shop}\n", "unknown 'shop'"),
        ("  radio: {mute: 2}\n", "2 is outside"),
        ("  radio: {material: [0.9, 0.6]}\n", "the least and the most expected"),
        ("  radio: {open_tills: 1}\n", "true or false expected"),
        ("  radio: {mutes: 0.1}\n", "mutes"),
    ],
)
def test_what_is_wrong_is_told_in_words(tmp_path: Path, line: str, expected: str) -> None:
    [fault] = faults(written(tmp_path, GOOD.replace(NOISE, line)))
    assert expected in fault


def test_a_radio_can_be_made_perfect_and_worse() -> None:
    perfect, worse = REAL_SHOP.scaled(0), REAL_SHOP.scaled(2)
    assert perfect.material == (1.0, 1.0)
    assert (perfect.mute, perfect.gate_bursts, perfect.skew_ms, perfect.heavy_tails) == (0, 0, 0, False)
    assert worse.material == pytest.approx((0.2, 0.8))
    assert (worse.mute, worse.holds, worse.skew_ms) == (0.04, 4.0, 4000)
