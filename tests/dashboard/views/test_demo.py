"""Demo: incidents staged, and the way to another place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app import store
from app.demo import change_place
from app.mqtt.topics import SIMULATOR_DIALS
from app.store import Account
from dashboard.context import Context
from dashboard.truth.heard import DemoTruth
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, opened, words


def test_the_demo_says_when_nothing_can_be_staged(busy: Context, sign_in: SignIn) -> None:
    seed.parts(busy.store, seed.NOW, down=("simulator",))
    sign_in(busy)
    assert "The simulator has been down" in opened("demo").error[0].value


def test_a_staged_incident_is_sent_to_the_simulator_with_its_author(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("stan", "staff", 1, True))
    page = opened("demo")
    page.button(key="stage-shoplift").click().run()
    message = store.unsent(busy.store, limit=100_000)[-1]
    assert message.topic == "vigil/simulator/command"
    assert message.payload == '{"incident": "shoplift", "actor": "stan"}'


def test_a_missed_dose_is_one_that_was_ordered_on_the_spot(busy: Context, sign_in: SignIn) -> None:
    sign_in(replace(busy, scenario=seed.shop("ward")), Account("stan", "staff", 1, True))
    opened("demo").button(key="stage-missed_dose").click().run()
    queued = store.unsent(busy.store, limit=100_000)[-2:]
    ordered, staged = (json.loads(one.payload) for one in queued)
    assert ordered["dose"] == staged["bottle"]
    assert ordered["scenario"] == "ward"
    assert staged["incident"] == "missed_dose"


def test_staff_take_the_demo_to_another_place(busy: Context, sign_in: SignIn, tmp_path: Path) -> None:
    sign_in(replace(busy, data=tmp_path), Account("stan", "staff", 1, True))
    page = opened("demo")
    page.button(key="go-ward").click().run()
    assert change_place.asked(tmp_path) == "ward"
    assert not page.exception


@pytest.mark.parametrize(
    ("reached", "told"),
    [
        (7.3, "Time passes 7.3 times as fast as here; asked for is 20."),
        (None, "Time passes 20 times as fast as here; asked for is 20."),
    ],
)
def test_the_demo_tells_the_worlds_time_and_the_speed_that_is_really_reached(
    busy: Context, sign_in: SignIn, reached: float | None, told: str
) -> None:
    truth = DemoTruth(lambda: seed.NOW)
    dials = {"speed": 20.0, "noise": 1.0, "now_ms": seed.NOW, "reached": reached}
    truth.hear(SIMULATOR_DIALS, json.dumps(dials).encode())
    sign_in(replace(busy, truth=truth))
    assert told in words(opened("demo"))
