"""Errors of place and calibration: small answers by hand, and a short play under a radio that is not kind."""

from pathlib import Path

import numpy as np
import pytest

from app.place.radio import PRESETS
from app.place.scenario import load
from benchmarks.accuracy import scored
from benchmarks.places import calibration
from simulator.worlds.world import MINUTE


def test_confidence_that_is_right_as_often_as_it_says_is_not_off() -> None:
    sure = np.repeat([0.75, 0.5, 1.0], 100)
    right = np.concatenate([np.arange(100) < 75, np.arange(100) < 50, np.ones(100, bool)])
    assert calibration(sure, right) == (pytest.approx(0.0), pytest.approx(2 / 3))


def test_confidence_that_claims_too_much_is_off_by_what_it_claims_too_much() -> None:
    off, doubtful = calibration(np.full(100, 0.9), np.arange(100) < 60)
    assert (off, doubtful) == (pytest.approx(0.3), 1.0)


def test_an_hour_in_the_store_is_scored_under_a_kind_and_under_a_real_radio() -> None:
    place = load(Path("scenarios/store.yaml"))
    (kind, places), (real, worse) = (
        scored(place, PRESETS[radio], [1001], 60 * MINUTE) for radio in ("kind", "real-shop")
    )
    assert kind["shoplifting"].precision == kind["shoplifting"].recall == 1.0
    assert places.all_tags < 0.005
    assert places.stays_right > 0.85
    assert worse.all_tags > places.all_tags
    assert real["shoplifting"].recall_of_heard >= real["shoplifting"].recall
