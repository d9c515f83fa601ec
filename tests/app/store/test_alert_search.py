"""Finding alerts among many: order, paging, filters, the cursor, tallies and export."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import Actor, Alert, Evidence, Filter

STAFF = Actor("stan", "staff")


def alert(number: int, **changes: object) -> Alert:
    plain = Alert(
        id=f"a{number:03}",
        scenario="store",
        detector="shoplifting",
        version="1",
        severity="high",
        title="Item left unpaid",
        subject=f"T{number}",
        area="exit",
        started_ms=number,
        occurred_ms=number,
        detected_ms=number,
        explanation="left without paying",
        advice="",
        evidence=Evidence("EVENT EXIT-READING", {}, ()),
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def ids(alerts: Sequence[Alert]) -> list[str]:
    return [found.id for found in alerts]


@pytest.fixture
def busy(store: sa.Engine) -> sa.Engine:
    stores.record_alerts(
        store,
        [
            alert(1, area="denim", severity="low", detector="misplaced"),
            alert(2, explanation="Die TASCHE fehlt: 100% Ärger_"),
            alert(3, scenario="ward", subject="John", detector="overdose"),
            alert(4, subject="T1"),
        ],
        now_ms=100,
    )
    return store


def test_the_feed_is_newest_first_and_as_long_as_asked(busy: sa.Engine) -> None:
    assert ids(stores.open_alerts(busy, now_ms=200)) == ["a004", "a003", "a002", "a001"]
    assert ids(stores.open_alerts(busy, now_ms=200, limit=1)) == ["a004"]


def test_resolved_alerts_leave_the_feed(busy: sa.Engine) -> None:
    stores.resolve(busy, STAFF, ["a004"], "theft", "", now_ms=200)
    assert ids(stores.open_alerts(busy, now_ms=200)) == ["a003", "a002", "a001"]


def test_the_cursor_gives_each_change_once(busy: sa.Engine) -> None:
    first = stores.changes_since(busy, 0)
    assert ids(first.alerts) == ["a001", "a002", "a003", "a004"]
    assert stores.changes_since(busy, first.cursor) == stores.Changes((), first.cursor)
    stores.take(busy, STAFF, ["a002"], now_ms=200)
    second = stores.changes_since(busy, first.cursor)
    assert ids(second.alerts) == ["a002"]
    assert second.cursor == stores.last_change(busy)


def test_the_cursor_continues_after_a_limited_answer(busy: sa.Engine) -> None:
    first = stores.changes_since(busy, 0, limit=3)
    assert ids(stores.changes_since(busy, first.cursor).alerts) == ["a004"]


FILTERS = {
    "state": (Filter(states=("taken",)), ["a001"]),
    "severity": (Filter(severities=("low",)), ["a001"]),
    "detector": (Filter(detectors=("overdose", "misplaced")), ["a003", "a001"]),
    "area": (Filter(areas=("denim",)), ["a001"]),
    "owner": (Filter(owners=("stan",)), ["a001"]),
    "scenario": (Filter(scenarios=("ward",)), ["a003"]),
    "subject": (Filter(subject="T1"), ["a004", "a001"]),
    "time": (Filter(from_ms=2, until_ms=4), ["a003", "a002"]),
    "words in any case and order": (Filter(text="ärger tasche"), ["a002"]),
    "a percent sign as it stands": (Filter(text="100%"), ["a002"]),
    "an underscore as it stands": (Filter(text="t_s"), []),
    "several at once": (Filter(severities=("high",), subject="T1"), ["a004"]),
    "nothing": (Filter(), ["a004", "a003", "a002", "a001"]),
}


@pytest.mark.parametrize("name", FILTERS)
def test_search_filters_by(busy: sa.Engine, name: str) -> None:
    stores.take(busy, STAFF, ["a001"], now_ms=200)
    wanted, expected = FILTERS[name]
    page = stores.search(busy, wanted)
    assert ids(page.alerts) == expected
    assert page.total == len(expected)


def test_pages_follow_each_other_without_gaps(busy: sa.Engine) -> None:
    pages = [stores.search(busy, Filter(), limit=2, offset=offset) for offset in (0, 2)]
    assert [ids(page.alerts) for page in pages] == [["a004", "a003"], ["a002", "a001"]]
    assert pages[1].total == 4


def test_alerts_about_the_same_subject_form_a_group(busy: sa.Engine) -> None:
    assert ids(stores.same_subject(busy, alert(4, subject="T1"))) == ["a001"]


def test_the_filters_offer_the_values_that_occur(busy: sa.Engine) -> None:
    assert stores.choices(busy) == {
        "severity": ["high", "low"],
        "detector": ["misplaced", "overdose", "shoplifting"],
        "area": ["denim", "exit"],
        "owner": [],
        "scenario": ["store", "ward"],
    }


def test_a_detectors_record_counts_what_fired_and_what_was_false(busy: sa.Engine) -> None:
    stores.resolve(busy, STAFF, ["a002"], "false alarm", "till was open", now_ms=200)
    stores.resolve(busy, STAFF, ["a004"], "theft", "", now_ms=200)
    assert stores.records(busy, "store") == {
        "misplaced": stores.Record("misplaced", fired=1, resolved=0, false=0),
        "shoplifting": stores.Record("shoplifting", fired=2, resolved=2, false=1),
    }


def test_export_as_json_lines_holds_everything(busy: sa.Engine) -> None:
    lines = [json.loads(line) for line in stores.as_json_lines(stores.all_alerts(busy, Filter()))]
    assert [line["id"] for line in lines] == ["a001", "a002", "a003", "a004"]
    assert lines[0]["evidence"]["query"] == "EVENT EXIT-READING"


def test_export_as_csv_cannot_run_as_a_formula(store: sa.Engine) -> None:
    stores.record_alerts(store, [alert(1, subject="=HYPERLINK(1)", explanation="a, b\nc")], now_ms=1)
    text = "".join(stores.as_csv(stores.all_alerts(store, Filter())))
    [row] = csv.DictReader(io.StringIO(text))
    assert (row["subject"], row["explanation"]) == ("'=HYPERLINK(1)", "a, b\nc")


def test_a_page_is_found_among_ten_thousand_alerts(store: sa.Engine) -> None:
    stores.record_alerts(store, [alert(number) for number in range(10_000)], now_ms=1)
    page = stores.search(
        store, Filter(severities=("high",), detectors=("shoplifting",)), limit=50, offset=200
    )
    assert page.total == 10_000
    assert page.alerts[0].occurred_ms == 9_799
    assert len(stores.open_alerts(store, now_ms=1, limit=100)) == 100
