"""Detectors: switched, tuned and undone by admins, and by nobody else."""

from __future__ import annotations

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from app import store
from app.store import Account, Switch
from dashboard.context import Context
from dashboard.words import text
from dashboard.words.escape import escaped
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, button, field, opened


def test_a_detector_is_switched_off_by_an_admin_and_the_change_is_undone(
    busy: Context, sign_in: SignIn
) -> None:
    sign_in(busy, Account("ada", "admin", 1, True))
    page = detector("misplaced")
    switch_off(page, "restocking")
    off = store.switches(busy.store, "store")["misplaced"]
    assert (off.enabled, off.reason, off.until_ms) == (False, "restocking", seed.NOW + 60 * seed.MINUTE)
    assert page.radio(key="which").value == "misplaced"
    assert escaped("switched off by ada: restocking. Back on at") in page.warning[0].value
    button(page, text.detectors.UNDO).click().run()
    assert store.switches(busy.store, "store")["misplaced"].enabled is True
    assert store.switch_history(busy.store, "store", "misplaced")[0].undoes == 1


def test_parameters_are_changed_within_their_bounds(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("ada", "admin", 1, True))
    page = detector("shelf_sweep")
    page.slider[0].set_value(9)
    button(page, text.detectors.APPLY).click().run()
    assert store.switches(busy.store, "store")["shelf_sweep"].parameters["count"] == 9


def test_detectors_for_other_kinds_of_places_are_shown_when_asked_for(busy: Context, sign_in: SignIn) -> None:
    store.record_defaults(busy.store, [Switch("store", "overdose", False, {})], seed.NOW)
    sign_in(busy, Account("ada", "admin", 1, True))
    page = opened("detectors")
    assert not any("overdose" in one.lower() for one in page.radio[0].options)
    page.toggle(key="other detectors").set_value(True).run()
    assert any("overdose" in one.lower() for one in page.radio[0].options)


def test_a_staff_account_on_the_admins_page_changes_nothing(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("stan", "staff", 1, True))
    page = detector("misplaced")
    switch_off(page, "no business of mine")
    assert "needs the role manager" in page.error[0].value
    assert store.switches(busy.store, "store")["misplaced"].enabled is True


def test_switching_off_needs_a_reason(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("ada", "admin", 1, True))
    page = detector("misplaced")
    switch_off(page, "  ")
    assert page.error[0].value == text.detectors.SAY_WHY
    assert store.switches(busy.store, "store")["misplaced"].enabled is True


def test_a_detector_is_switched_on_again_by_hand(busy: Context, sign_in: SignIn) -> None:
    store.switch(busy.store, seed.ADMIN, "store", "misplaced", now_ms=1, enabled=False, reason="stock")
    sign_in(busy, Account("ada", "admin", 1, True))
    button(detector("misplaced"), text.detectors.SWITCH_ON).click().run()
    assert store.switches(busy.store, "store")["misplaced"].enabled is True


def test_a_detector_shows_the_constraints_that_concern_it_and_what_they_spare(
    busy: Context, sign_in: SignIn
) -> None:
    sign_in(busy, Account("ada", "admin", 1, True))
    page = detector("misplaced")
    assert any("prior(SHELF-READING, DEPARTED)" in block.value for block in page.code)
    assert text.detectors.CONSTRAINTS_SPARE_NOTHING in [each.value for each in page.caption]


def test_a_detector_of_breaches_shows_how_many_items_it_remembers(busy: Context, sign_in: SignIn) -> None:
    store.record_spared(busy.store, {("impossible", "broken"): 3}, {"impossible": 1200})
    sign_in(busy, Account("ada", "admin", 1, True))
    page = detector("impossible")
    assert text.detectors.CONSTRAINTS_REMEMBERED in [each.value for each in page.caption]
    shown = {each.label: each.value for each in page.metric}
    assert (shown["Remembered now"], shown["Broken"]) == ("1,200", "3")
    assert text.detectors.PLAN not in [each.label for each in page.expander]


def test_what_is_spared_is_shown_in_figures(busy: Context, sign_in: SignIn) -> None:
    declared = replace(busy.scenario, constraints="exclusive(FITTING-LEFT, EXIT-READING) BY id FOR 30 days")
    store.record_spared(busy.store, {("shoplifting", "pruned"): 41, ("shoplifting", "early"): 2}, {})
    sign_in(replace(busy, scenario=declared), Account("ada", "admin", 1, True))
    shown = {each.label: each.value for each in detector("shoplifting").metric}
    assert (shown["Events dropped"], shown["Told early"], shown["Remembered now"]) == ("41", "2", "0")


def switch_off(page: AppTest, reason: str) -> None:
    field(page, text.detectors.WHY_OFF).set_value(reason)
    button(page, text.detectors.SWITCH_OFF).click().run()


def detector(name: str) -> AppTest:
    return opened("detectors").radio(key="which").set_value(name).run()
