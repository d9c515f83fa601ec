"""Live: what is open, what is watched, and what is down."""

from __future__ import annotations

from dashboard.context import Context
from dashboard.words import text
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
    assert told.startswith("Ingest is down since ")
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
