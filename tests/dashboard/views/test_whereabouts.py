"""Whereabouts: one thing, several, an area, and what the page says when it knows nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app import store
from app.cleaning import learned
from app.cleaning.learned import LearnedVersion, name_of
from app.cleaning.setup import LEARNED, SNAPSHOTS
from app.cleaning.whereabouts.rates import PlaceRates
from app.store import Position
from app.store.whereabouts import record_positions
from dashboard.context import Context, set_context
from dashboard.words import text
from dashboard.words.escape import escaped
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, opened, words

HOUR = 60 * seed.MINUTE
Known = Callable[..., Context]


@pytest.fixture
def known(empty: Context, tmp_path: Path, sign_in: SignIn) -> Context:
    """A shop that has been watched for five minutes."""
    seed.parts(empty.store, seed.NOW)
    seed.whereabouts(tmp_path / "checkpoint", seed.NOW)
    context = replace(empty, checkpoint=tmp_path / "checkpoint")
    sign_in(context)
    return context


def item(number: int) -> str:
    return str(seed.shop().items["id"][number].as_py())


def tag(number: int) -> str:
    return str(seed.shop().items["tag"][number].as_py())


def test_until_the_pipeline_has_told_anything_the_page_says_so(empty: Context, sign_in: SignIn) -> None:
    seed.parts(empty.store, seed.NOW)
    sign_in(empty)
    assert [box.value for box in opened("whereabouts").info] == [text.whereabouts.NOT_YET]


@pytest.mark.usefixtures("known")
def test_one_thing_is_told_with_its_chances_its_last_sighting_and_its_home() -> None:
    told = words(opened("whereabouts", what=item(0)))
    assert "| Fitting room | 70% |\n| Denim | 30% |" in told
    assert escaped("Last read 5 s ago, at 08:59:55, by the reader of Fitting room.") in told
    assert escaped("There since 08:29:55 (30 min).") in told
    assert escaped("It belongs in: Denim.") in told


@pytest.mark.usefixtures("known")
def test_what_has_gone_out_is_said_to_be_out() -> None:
    assert f"| Out of the house | {text.whereabouts.CERTAIN} |" in words(opened("whereabouts", what=item(1)))


@pytest.mark.usefixtures("known")
def test_what_was_never_heard_says_since_when_vigil_watches() -> None:
    told = [box.value for box in opened("whereabouts", what=item(2)).info]
    assert told == ["Vigil has not heard of it since it began to watch 5 min ago."]


def test_the_way_of_a_thing_is_told_stop_by_stop(known: Context) -> None:
    steps = [("denim", 10 * HOUR), ("shoes", 2 * HOUR), ("fitting", 1 * HOUR)]
    with known.store.begin() as connection:
        for area, before in steps:
            record_positions(connection, [Position(tag(0), "jeans", area, "", seed.NOW - before)])
    told = words(opened("whereabouts", what=item(0)))
    assert escaped("01:00:00: Denim, for 6 h") in told
    assert escaped("07:00:00: Shoes, for 60 min") in told
    assert escaped("08:00:00: Fitting room, for 60 min") in told


@pytest.mark.usefixtures("known")
def test_several_things_of_a_name_are_counted_by_place() -> None:
    page = opened("whereabouts", what="jeans 28")
    count = sum(name == "Jeans size 28" for name in seed.shop().items["name"].to_pylist())
    assert page.subheader[0].value == escaped(f"{count} are called jeans 28").replace("\\", "")
    assert "| Denim |" in words(page)


@pytest.mark.usefixtures("known")
def test_words_that_nothing_is_called_by_are_said_to_be_unknown() -> None:
    assert opened("whereabouts", what="unicorn").info[0].value == text.whereabouts.UNKNOWN.format("unicorn")


@pytest.mark.usefixtures("known")
def test_an_area_tells_how_many_are_there_and_what_is_missing() -> None:
    page = opened("whereabouts", area="Denim")
    told, homes = words(page), seed.shop().items["home"].to_pylist().count("denim")
    low, likely = homes - 3, homes - 3 + 0.3
    assert escaped(f"{low} to {low + 1} in all, most likely {likely:.0f}.") in told
    assert escaped(text.whereabouts.MISSING.format(2)) in told
    assert "Fitting room | 70% |" in told
    assert f"Out of the house | {text.whereabouts.CERTAIN} |" in told


@pytest.mark.usefixtures("known")
def test_an_empty_area_says_so_in_words() -> None:
    assert opened("whereabouts", area="Till 1").info[0].value == text.whereabouts.NOTHING_THERE


def test_what_runs_out_is_listed_with_where_there_is_more(known: Context) -> None:
    assert text.whereabouts.REPLENISH_NOTHING in words(opened("whereabouts"))
    assert known.checkpoint is not None
    items = seed.shop().items.to_pylist()
    jeans = [row for row, one in enumerate(items) if one["name"] == "Jeans size 30"]
    seed.whereabouts(known.checkpoint, seed.NOW, in_stock=jeans[2:])
    set_context(replace(known))
    told = words(opened("whereabouts"))
    assert f"| Jeans size 30 | Denim | 2 of {len(jeans)} | Stock room\\: {len(jeans) - 2} |" in told


@pytest.mark.usefixtures("known")
def test_with_nothing_asked_the_page_says_how_much_is_where() -> None:
    page = opened("whereabouts")
    assert page.subheader[0].value == text.whereabouts.OVERVIEW
    assert "| Denim |" in words(page)


def test_a_pipeline_that_is_down_and_old_news_are_told(known: Context, sign_in: SignIn) -> None:
    seed.parts(known.store, seed.NOW, down=["pipeline"])
    later = replace(known, now_ms=lambda: store_written(known) + 10 * seed.MINUTE)
    sign_in(later)
    page = opened("whereabouts")
    assert [box.value for box in page.warning] == [text.whereabouts.OLD.format("10 min ago")]
    assert page.error


def test_a_file_of_another_place_says_nothing_about_this_one(known: Context, sign_in: SignIn) -> None:
    sign_in(replace(known, scenario=seed.shop("ward")))
    assert text.whereabouts.NOT_YET in [box.value for box in opened("whereabouts").info]


def store_written(context: Context) -> int:
    assert context.checkpoint is not None
    return (context.checkpoint / "whereabouts.arrow").stat().st_mtime_ns // 1_000_000


def test_health_says_what_the_place_has_taught_and_by_which_version(known: Context) -> None:
    told = words(opened("health"))
    assert text.health.LEARNED_BY_ITSELF.format("5 min") in told
    assert text.health.LEARNED_NOTHING.rstrip(".") in told
    assert known.checkpoint is not None
    rates = PlaceRates({}, {}, {}, {}, {})
    version = LearnedVersion(name_of(rates), 0, "", 1, 0, 1, (), rates)
    learned.keep(known.checkpoint / SNAPSHOTS / LEARNED, version)
    found = ["Main exit hears a third of what lies in Shoes (30 of 90)."]
    seed.whereabouts(known.checkpoint, seed.NOW, learned=version.name, found=found)
    set_context(replace(known))
    told = words(opened("health"))
    assert text.health.LEARNED_VERSION.format(1) in told
    assert escaped(found[0]) in told


def test_names_of_others_never_become_markup(known: Context) -> None:
    evil = "<b>x</b> [a](javascript:alert(1))"
    page = opened("whereabouts", what=evil)
    assert page.info[0].value == text.whereabouts.UNKNOWN.format(escaped(evil))
    assert store.find_position(known.store, "nothing") is None
