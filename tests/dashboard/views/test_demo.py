"""Demo: incidents staged, and the way to another place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app import store
from app.demo import change_place
from app.store import Account
from dashboard.context import Context
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, opened


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


def test_staff_take_the_demo_to_another_place(busy: Context, sign_in: SignIn, tmp_path: Path) -> None:
    sign_in(replace(busy, data=tmp_path), Account("stan", "staff", 1, True))
    page = opened("demo")
    page.button(key="go-ward").click().run()
    assert change_place.asked(tmp_path) == "ward"
    assert not page.exception
