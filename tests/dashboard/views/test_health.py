"""Health: nothing is called well that is not known to be."""

from __future__ import annotations

from dataclasses import replace

from app import store
from app.store import HeldReadings
from dashboard.context import Context
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, opened


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


def test_clocks_that_are_off_late_readings_and_what_was_held_back_are_told(
    busy: Context, sign_in: SignIn
) -> None:
    reader = replace(seed.readers(seed.NOW)[0], offset_ms=-3_600_000, clock_jumps=1, late_share=0.25)
    held = HeldReadings("gate", seed.NOW - 60_000, seed.NOW - 50_000, seed.NOW - 3_660_000, 361)
    with store.writing(busy.store) as connection:
        store.record_readers(connection, [reader])
        store.record_held(connection, [held])
    store.record_metrics(busy.store, {"late_share": 0.02, "clock_behind_ms": -7_200_000.0}, seed.NOW)
    sign_in(busy)
    page = opened("health")
    shown = page.dataframe[1].value.set_index(text.terms.READER).loc[reader.reader]
    assert (shown[text.health.CLOCK], shown[text.health.LATE]) == ("60 min behind, set 1 times", 0.25)
    assert [one.value[:3] for one in page.warning if "too late" in one.value] == ["2% "]
    assert [one.value for one in page.warning if "set back by 2 h" in one.value] != []
    assert [one.value for one in page.info if "361 readings" in one.value and "60 min" in one.value] != []


def test_one_late_reading_in_a_hundred_is_no_matter(busy: Context, sign_in: SignIn) -> None:
    store.record_metrics(busy.store, {"late_share": 0.01}, seed.NOW)
    sign_in(busy)
    assert [one.value for one in opened("health").warning if "too late" in one.value] == []
