"""Alert: why it fired, who did what to it, and nothing in it that becomes markup."""

from __future__ import annotations

from app import store
from app.store import Account, IncidentTie
from dashboard.context import Context
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, button, choice, opened, words


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


def test_staff_read_no_query_and_no_names_of_machines(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("stan", "staff", 1, True))
    page = opened("alert", id=f"{0:064x}")
    shown = words(page)
    assert "EXIT\\-READING" not in shown
    assert "till\\-1\\-pad" not in shown
    assert "The reader of Till 1 was listening" in shown
    assert page.title[0].value.endswith("Shoplifting: Jeans size 28 \\(JEAN\\-28\\-001\\)")
    assert text.terms.QUERY not in [one.label for one in page.expander]
    sign_in(busy)
    assert text.terms.QUERY in [one.label for one in opened("alert", id=f"{0:064x}").expander]


def test_a_false_alarm_without_a_reason_is_refused_in_words(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("stan", "staff", 1, True))
    page = opened("alert", id=f"{0:064x}")
    choice(page, text.actions.OUTCOME).select("false alarm")
    button(page, text.actions.RESOLVE).click().run()
    assert "needs a reason" in page.error[0].value


def test_nothing_is_preselected_and_a_ward_is_offered_no_theft(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("stan", "staff", 1, True))
    ward = seed.shoplifting(30_000, busy.now_ms(), detector="drug_interaction")
    store.record_alerts(busy.store, [ward], busy.now_ms())
    page = opened("alert", id=ward.id)
    offered = choice(page, text.actions.OUTCOME)
    assert offered.value is None
    assert text.terms.OUTCOMES["treated"] in offered.options
    assert text.terms.OUTCOMES["theft"] not in offered.options
    button(page, text.actions.RESOLVE).click().run()
    assert page.error[0].value == text.actions.CHOOSE_OUTCOME
    assert _state(busy, ward.id) == ("new", None, None)


def test_what_is_mine_cannot_be_taken_again(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("stan", "staff", 1, True))
    store.take(busy.store, seed.STAFF, [f"{0:064x}"], now_ms=busy.now_ms())
    assert text.actions.TAKE not in [one.label for one in opened("alert", id=f"{0:064x}").button]


def test_an_incident_is_taken_whole_or_one_member_apart(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("stan", "staff", 1, True))
    ties, now = (IncidentTie("one thief", 60_000),), busy.now_ms()
    ids = [f"{number:064x}" for number in range(30_001, 30_004)]
    store.record_alerts(
        busy.store, [seed.shoplifting(number, now, ties=ties) for number in range(30_001, 30_004)], now
    )
    page = opened("alert", id=ids[0])
    assert any("incident of 3 alerts" in element.value for element in page.markdown)
    page.radio[0].set_value(text.incidents.ONLY_THIS).run()
    button(page, text.actions.TAKE).click().run()
    assert [_state(busy, id_)[0] for id_ in ids] == ["taken", "new", "new"]
    button(opened("alert", id=ids[1]), text.actions.TAKE).click().run()
    assert [_state(busy, id_)[0] for id_ in ids] == ["taken", "taken", "taken"]


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


def _state(context: Context, alert: str) -> tuple[str, str | None, str | None]:
    found = store.find_alert(context.store, alert)
    assert found is not None
    return found.state, found.owner, found.resolution
