"""Every page on an empty, a busy and a broken store, run by Streamlit's own test runner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import store
from app.demo import change_place
from app.store import Account, Switch
from dashboard.context import Context
from dashboard.words import text
from tests.dashboard import seed

PAGES = ("live", "wall", "alerts", "alert", "detectors", "demo", "health", "account")
MAIN = Path(__file__).parents[3] / "dashboard" / "main.py"
SignIn = Callable[..., None]


def _page(name: str) -> None:
    import importlib

    from dashboard.failures import shows_failures

    shows_failures(importlib.import_module(f"dashboard.views.{name}").show)()


def opened(name: str, **query: str) -> AppTest:
    page = AppTest.from_function(_page, args=(name,), default_timeout=30)
    page.query_params.update(query)
    return page.run()


def words(page: AppTest) -> str:
    kinds = (page.title, page.markdown, page.caption, page.info, page.success, page.warning, page.error)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_on_an_empty_store(name: str, empty: Context, sign_in: SignIn) -> None:
    sign_in(empty)
    page = opened(name)
    assert not page.exception
    assert not page.error


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_on_a_busy_store(name: str, busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    page = opened(name, id=f"{0:064x}")
    assert not page.exception
    assert not page.error


@pytest.mark.parametrize("name", [name for name in PAGES if name != "wall"])
def test_every_page_says_that_the_store_is_broken_and_since_when(
    name: str, broken: Context, sign_in: SignIn
) -> None:
    sign_in(broken)
    page = opened(name)
    assert not page.exception
    assert text.failures.STORE_DOWN.split("{}")[0] in page.error[0].value


def test_a_broken_store_is_down_since_it_was_first_missed(broken: Context, sign_in: SignIn) -> None:
    now = [seed.NOW]
    sign_in(replace(broken, now_ms=lambda: now[0]))
    first = AppTest.from_file(str(MAIN), default_timeout=30).run().error[0].value
    now[0] += 90_000
    assert AppTest.from_file(str(MAIN), default_timeout=30).run().error[0].value == first


def test_the_whole_script_offers_every_page_to_an_admin(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    page = AppTest.from_file(str(MAIN), default_timeout=30).run()
    assert not page.exception
    assert set(page.session_state["pages"]) == set(PAGES)


def test_a_viewer_is_offered_neither_detectors_nor_the_demo(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("vera", "viewer", 1, True))
    page = AppTest.from_file(str(MAIN), default_timeout=30).run()
    assert set(page.session_state["pages"]) == set(PAGES) - {"detectors", "demo"}


def test_a_cookie_of_an_earlier_password_is_no_longer_good(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("ada", "admin", 1, True))
    store.set_password(busy.store, seed.ADMIN, "ada", "another password", now_ms=1)
    page = AppTest.from_file(str(MAIN), default_timeout=30).run()
    assert page.warning[0].value == text.sign_in.SIGN_IN_AGAIN


def test_an_empty_store_says_that_nothing_is_being_watched(empty: Context, sign_in: SignIn) -> None:
    sign_in(empty)
    page = opened("live")
    assert [box.value for box in page.info] == [text.failures.NO_PART, text.live.NOT_WATCHED]


def test_a_quiet_place_that_is_watched_says_so(empty: Context, sign_in: SignIn) -> None:
    seed.parts(empty.store, seed.NOW)
    sign_in(empty)
    assert opened("live").success[0].value == text.live.NO_OPEN_ALERTS


def test_a_part_that_is_down_is_named_with_the_time_and_the_reason(busy: Context, sign_in: SignIn) -> None:
    seed.parts(busy.store, busy.now_ms(), down=["ingest"])
    sign_in(busy)
    told = opened("live").error[0].value
    assert told.startswith("Ingest is down since ")
    assert told.endswith("exit code 1\\: disk full")


def test_the_big_numbers_are_those_of_the_store(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    numbers = {metric.label: metric.value for metric in opened("live").metric}
    assert numbers[text.live.OPEN_ALERTS] == "9,996"
    assert numbers[text.live.READERS_ONLINE] == "11 of 12"


def test_taking_resolving_and_reopening_an_alert_is_on_record(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("stan", "staff", 1, True))
    alert = f"{0:064x}"
    button(opened("alert", id=alert), text.actions.TAKE).click().run()
    assert _state(busy, alert) == ("taken", "stan", None)
    page = opened("alert", id=alert)
    choice(page, text.actions.OUTCOME).select("theft")
    button(page, text.actions.RESOLVE).click().run()
    assert _state(busy, alert) == ("resolved", "stan", "theft")
    button(opened("alert", id=alert), text.actions.REOPEN).click().run()
    assert _state(busy, alert) == ("new", None, None)
    assert [step.actor for step in store.alert_history(busy.store, alert)][-3:] == ["stan"] * 3


def test_an_alert_says_in_plain_words_why_it_fired_and_names_areas_by_their_titles(
    busy: Context, sign_in: SignIn
) -> None:
    sign_in(busy)
    shown = [element.value for element in opened("alert", id=f"{0:064x}").markdown]
    exit_seen = next(words for words in shown if "EXIT\\-READING z" in words)
    assert "**Seen at an exit** :small[:gray[EXIT\\-READING z]]" in exit_seen
    assert "Seen at an exit\\: Main exit" in exit_seen
    assert not any("main\\-exit" in words for words in shown)


def test_readers_are_not_called_online_while_nobody_hears_them(busy: Context, sign_in: SignIn) -> None:
    seed.parts(busy.store, busy.now_ms(), down=["ingest"])
    sign_in(busy)
    numbers = {metric.label: metric.value for metric in opened("live").metric}
    assert numbers[text.live.READERS_ONLINE] == text.terms.UNKNOWN_FIGURE


def test_a_false_alarm_without_a_reason_is_refused_in_words(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("stan", "staff", 1, True))
    page = opened("alert", id=f"{0:064x}")
    choice(page, text.actions.OUTCOME).select("false alarm")
    button(page, text.actions.RESOLVE).click().run()
    assert "needs a reason" in page.error[0].value


def test_a_viewer_sees_an_alert_and_no_button_to_change_it(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("vera", "viewer", 1, True))
    page = opened("alert", id=f"{0:064x}")
    assert text.actions.VIEWERS_ONLY_LOOK in words(page)
    assert text.actions.TAKE not in [one.label for one in page.button]


def test_a_note_shows_as_it_was_written_and_never_as_markup(busy: Context, sign_in: SignIn) -> None:
    evil = "<img src=x onerror=alert(1)> [link](javascript:alert(1)) https://evil.example :red[x] $x$"
    store.note(busy.store, seed.STAFF, [f"{0:064x}"], evil, now_ms=busy.now_ms())
    sign_in(busy)
    page = opened("alert", id=f"{0:064x}")
    shown = next(element.value for element in page.markdown if "onerror" in element.value)
    assert "\\<img" in shown
    assert "\\[link\\]\\(javascript" in shown
    assert "https://" not in shown


def test_the_search_finds_by_words_and_by_state(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    page = opened("alerts")
    assert "**10,000** alerts found" in words(page)
    page.text_input(key="q").set_value("JEAN-28-001").run()
    assert "**5** alerts found" in words(page)
    page.multiselect(key="state").set_value(["resolved"]).run()
    assert text.alerts.NOTHING_FOUND in words(page)


def test_alerts_are_found_between_two_days_of_the_places_calendar(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    page = opened("alerts")
    page.selectbox(key="since").set_value(-1).run()
    sunday = date(2025, 11, 16)
    page.date_input(key="days").set_value((sunday, sunday)).run()
    assert "**720** alerts found" in words(page)  # one every two minutes


def test_a_detector_is_switched_off_by_an_admin_and_the_change_is_undone(
    busy: Context, sign_in: SignIn
) -> None:
    sign_in(busy, Account("ada", "admin", 1, True))
    page = detector("misplaced")
    page.toggle[0].set_value(False).run()
    assert store.switches(busy.store, "store")["misplaced"].enabled is False
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
    page.toggle[0].set_value(False).run()
    assert "needs the role admin" in page.error[0].value
    assert store.switches(busy.store, "store")["misplaced"].enabled is True


def test_the_demo_says_when_nothing_can_be_staged(busy: Context, sign_in: SignIn) -> None:
    seed.parts(busy.store, seed.NOW, down=("simulator",))
    sign_in(busy)
    assert "The simulator is down" in opened("demo").error[0].value


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


def test_an_admin_adds_an_account_that_can_sign_in(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("ada", "admin", 1, True))
    page = opened("account")
    field(page, text.sign_in.ACCOUNT_NAME).input("nina")
    field(page, text.account.FIRST_PASSWORD).input("a long password")
    button(page, text.account.ADD_ACCOUNT).click().run()
    assert store.authenticate(busy.store, "nina", "a long password") == Account("nina", "viewer", 1, True)


def test_readers_that_nobody_hears_are_not_called_well(busy: Context, sign_in: SignIn) -> None:
    seed.parts(busy.store, seed.NOW, down=("ingest",))
    sign_in(busy)
    parts, readers = (one.value[text.terms.STATE] for one in opened("health").dataframe[:2])
    assert "✖ down" in set(parts)
    assert "well" not in set(readers)


def test_figures_of_the_past_are_not_shown_as_the_present(busy: Context, sign_in: SignIn) -> None:
    sign_in(replace(busy, now_ms=lambda: seed.NOW + 60_000))
    label, _ = text.health.FIGURES["delay_ms"]
    assert [one.value for one in opened("health").metric if one.label == label] == [text.terms.UNKNOWN_FIGURE]


def test_a_dead_letter_can_be_looked_into(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    rows = opened("health").dataframe[-1].value
    assert rows[text.terms.REASON][0] == "rssi: a number expected"
    assert rows[text.health.PAYLOAD][0].startswith('{"epc": "<b>')


def detector(name: str) -> AppTest:
    return opened("detectors").radio(key="chosen detector").set_value(name).run()


def button(page: AppTest, label: str) -> object:
    return next(one for one in page.button if one.label == label)


def choice(page: AppTest, label: str) -> object:
    return next(one for one in page.selectbox if one.label == label)


def field(page: AppTest, label: str) -> object:
    return next(one for one in page.text_input if one.label == label)


def _state(context: Context, alert: str) -> tuple[str, str | None, str | None]:
    found = store.find_alert(context.store, alert)
    assert found is not None
    return found.state, found.owner, found.resolution
