"""Health: nothing is called well that is not known to be."""

from __future__ import annotations

from dataclasses import replace

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
