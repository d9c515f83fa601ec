"""Report: the figures of a time, and what the next shift must know."""

from __future__ import annotations

from dataclasses import replace

from app import store
from app.store import Account
from dashboard.context import Context
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, opened, words


def test_the_figures_of_a_shift_and_of_a_month(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("vera", "viewer", 1, True))
    store.resolve(busy.store, seed.STAFF, [f"{20:064x}"], "theft", "", now_ms=seed.NOW)
    page = opened("report")
    shift = {one.label: one.value for one in page.metric}
    assert shift[text.report.INCIDENTS] == "240"  # one every two minutes
    assert (shift[text.report.LOST], shift[text.report.FALSE_ALARMS]) == ("49.90", "4 of 5")
    assert shift[text.report.TO_TAKE] == "1 s"
    page.selectbox(key="period").set_value(720).run()
    assert {one.label: one.value for one in page.metric}[
        text.report.INCIDENTS
    ] == "9,999"  # one happens just now


def test_a_quiet_time_says_so(empty: Context, sign_in: SignIn) -> None:
    sign_in(empty)
    assert text.report.NOTHING in words(opened("report"))


def test_the_next_shift_reads_what_is_off_silent_and_open(busy: Context, sign_in: SignIn) -> None:
    off = {"enabled": False, "reason": "stocktaking"}
    store.switch(busy.store, seed.ADMIN, "store", "misplaced", now_ms=seed.NOW, **off)
    sign_in(busy)
    told = words(opened("report"))
    assert "switched off by ada\\: stocktaking" in told
    assert "Readers silent\\: shelf\\-kids" in told
    assert "and 9,9" in told


def test_a_ward_has_neither_values_nor_exits(busy: Context, sign_in: SignIn) -> None:
    sign_in(replace(busy, scenario=seed.shop("ward")))
    shown = {one.label for one in opened("report").metric}
    assert {text.report.INCIDENTS, text.report.TO_TAKE} <= shown
    assert shown.isdisjoint({text.report.LOST, text.report.RECOVERED, text.report.PER_EXITS})
