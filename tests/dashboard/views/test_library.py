"""The library at the desk: an alert names persons, book, door and seconds, and asks whose loan it was."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import detectors
from app import store
from app.detection.alert import ReportedMatch, alert
from app.store import Account, Alert
from dashboard.context import Context
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, button, opened, words

STAFF = Account("stan", "staff", 1, True)


def left(kind: str, seconds: int, **more: Any) -> dict[str, Any]:
    return {"event": kind, "ts": seed.NOW + 1000 * seconds, "loc_id": "door", "reader": "door-gate"} | more


def confused(context: Context) -> Alert:
    events = {
        "p1": left("Person", 0, person_id="patron-10", name="Jule Stahl"),
        "p2": left("Person", 1, person_id="patron-11", name="Yusuf Pohl"),
        "b": left("Unlent", 2, book_id="book-300", name="Before the Thin Museum"),
    }
    match = ReportedMatch("confusion", "c1", seed.NOW + 2000, seed.NOW, seed.NOW + 2000, 1.0, events)
    return alert(match, detectors.load()["confusion"], {}, context.scenario, [])


@pytest.fixture
def library(empty: Context) -> Context:
    context = replace(empty, scenario=seed.shop("library"))
    seed.accounts(context.store, seed.NOW)
    store.record_alerts(context.store, [confused(context)], seed.NOW)
    return context


def test_a_confusion_names_the_persons_the_book_the_door_and_the_seconds(
    library: Context, sign_in: SignIn
) -> None:
    sign_in(library, STAFF)
    shown = words(opened("alert", id="c1"))
    assert "Jule Stahl" in shown
    assert "Yusuf Pohl" in shown
    assert "Before the Thin Museum \\(book\\-300\\) left through Door" in shown
    assert "within 3 seconds of each other" in shown
    assert "A person left with a card\\: Door" in shown


def test_saying_who_it_was_books_the_loan_and_resolves_the_alert(library: Context, sign_in: SignIn) -> None:
    sign_in(library, STAFF)
    page = opened("alert", id="c1")
    button(page, text.actions.IT_WAS.format("Yusuf Pohl")).click().run()
    resolved = store.find_alert(library.store, "c1")
    assert resolved is not None
    assert (resolved.resolution, resolved.reason) == (store.BORROWED, "Yusuf Pohl")
    told = store.unsent(library.store)[-1]
    assert json.loads(told.payload)["loan"] == {"patron": "patron-11", "item": "book-300"}
    assert text.actions.WHOSE not in words(opened("alert", id="c1"))


def test_who_only_looks_is_not_asked(library: Context, sign_in: SignIn) -> None:
    sign_in(library, Account("vera", "viewer", 1, True))
    labels = [one.label for one in opened("alert", id="c1").button]
    assert text.actions.IT_WAS.format("Yusuf Pohl") not in labels


def test_the_demo_stages_what_goes_wrong_in_a_library_and_leads_there(
    library: Context, sign_in: SignIn, tmp_path: Path
) -> None:
    sign_in(library, STAFF)
    staged = [one.label for one in opened("demo").button]
    assert {"Booklifting", "Confusion", "Over the limit", "Misplaced book", "Reader down"} <= set(staged)
    sign_in(replace(library, scenario=seed.shop(), data=tmp_path), STAFF)
    assert "City library" in [one.label for one in opened("demo").button]


@pytest.mark.parametrize("name", ["live", "alerts", "detectors", "health"])
def test_every_page_shows_the_library(library: Context, sign_in: SignIn, name: str) -> None:
    sign_in(library, STAFF)
    assert not opened(name).exception
