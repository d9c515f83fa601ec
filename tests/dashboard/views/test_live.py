"""Live: what is open, what is watched, and what is down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app import store
from dashboard.context import Context
from dashboard.words import text
from dashboard.words.escape import escaped
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, opened


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
    assert told.startswith("Ingest has been down since ")
    assert told.endswith("exit code 1\\: disk full")


def test_the_big_numbers_are_those_of_the_store(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    numbers = {metric.label: metric.value for metric in opened("live").metric}
    assert numbers[text.live.OPEN_INCIDENTS] == "9,996"
    assert numbers[text.live.READERS_ONLINE] == "11 of 12"


def test_readers_are_not_called_online_while_nobody_hears_them(busy: Context, sign_in: SignIn) -> None:
    seed.parts(busy.store, busy.now_ms(), down=["ingest"])
    sign_in(busy)
    numbers = {metric.label: metric.value for metric in opened("live").metric}
    assert numbers[text.live.READERS_ONLINE] == text.terms.UNKNOWN_FIGURE


@pytest.mark.parametrize("name", ["live", "health"])
def test_a_detector_that_is_off_is_told_to_those_who_rely_on_it(
    name: str, empty: Context, sign_in: SignIn
) -> None:
    switched_off(empty, until_ms=seed.NOW + 30 * seed.MINUTE)
    sign_in(empty)
    page = opened(name)
    told = "Shoplifting has been off since 08:59, switched off by ada: stocktaking. Back on at 09:30."
    assert [box.value for box in page.warning] == [escaped(told)]
    assert not page.success


def test_a_detector_without_an_end_of_its_time_off_stays_off(empty: Context, sign_in: SignIn) -> None:
    switched_off(empty, until_ms=None)
    sign_in(empty)
    assert opened("live").warning[0].value.endswith(escaped(text.failures.STAYS_OFF))


def test_late_readings_are_told_where_alerts_are_awaited(empty: Context, sign_in: SignIn) -> None:
    seed.parts(empty.store, seed.NOW)
    store.record_metrics(empty.store, {"late_share": 0.12}, seed.NOW)
    sign_in(empty)
    assert opened("live").warning[0].value.startswith("12% of the readings")


def test_in_a_quiet_place_nothing_is_late(empty: Context, sign_in: SignIn) -> None:
    store.record_metrics(empty.store, {"lag_rows": 0.0}, seed.NOW)
    sign_in(empty)
    assert {one.label: one.value for one in opened("live").metric}[text.terms.DELAY] == text.live.ALL_CHECKED


def test_all_readers_silent_is_one_line(empty: Context, sign_in: SignIn) -> None:
    silent = [replace(one, silent_since_ms=seed.NOW - 5_000) for one in seed.readers(seed.NOW)]
    with store.writing(empty.store) as connection:
        store.record_readers(connection, silent)
    sign_in(empty)
    assert (
        opened("live").warning[0].value.startswith(escaped("All 12 readers have been silent since 08:59:55."))
    )


def switched_off(place: Context, until_ms: int | None) -> None:
    seed.parts(place.store, seed.NOW)
    seed.switches(place.store, seed.NOW)
    why = {"enabled": False, "reason": "stocktaking", "until_ms": until_ms}
    store.switch(place.store, seed.ADMIN, "store", "shoplifting", now_ms=seed.NOW - seed.MINUTE, **why)
