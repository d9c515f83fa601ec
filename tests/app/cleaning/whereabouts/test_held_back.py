"""Reads that readers held back: an exit waits for a till that is silent, and what comes late still counts."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pyarrow as pa
import pytest

from app.cleaning.stream import CleanedStream
from app.log.row import ROW_SCHEMA, Row, to_batch
from app.place.scenario import Scenario
from tests.app.cleaning.whereabouts.boutique import NOON, boutique, brief, log_rows, steady, told

ON_SHELF = steady("hats-1", "AA01", 0, 300, 10)
AT_TILL = steady("till-1", "AA01", 330, 345, 0.5)
AT_GATE = steady("gate-1", "AA01", 360, 364, 0.25)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    return boutique(tmp_path_factory.mktemp("boutique"))


def arriving(rows: Sequence[Row], reader: str, start: float, end: float) -> list[Row]:
    """The log if this reader holds back from `start` what it says until `end`."""
    low, high = (NOON + round(1000 * seconds) for seconds in (start, end))
    held = [
        replace_received(row, high) if row.reader == reader and low <= row.ts < high else row for row in rows
    ]
    return sorted(held, key=lambda row: row.received)


def replace_received(row: Row, received: int) -> Row:
    return row._replace(received=received)


def cleaned(shop: Scenario, rows: Sequence[Row], cuts: Sequence[int] = ()) -> list[dict[str, object]]:
    numbers = pa.array(range(len(rows)), pa.int64())
    log = pa.RecordBatch.from_arrays([numbers, *to_batch(rows).columns], schema=ROW_SCHEMA)
    stream = CleanedStream(shop, 500)
    batches = [stream.push(log.slice(low, high - low)) for low, high in pairwise([0, *cuts, len(rows)])]
    return [row for batch in [*batches, stream.finish()] for row in told(batch) if row["event_id"]]


def readings(found: Sequence[dict[str, object]]) -> list[object]:
    return [event for event, _ in brief(found) if str(event).endswith("-READING")]


def test_what_was_paid_at_a_till_that_holds_back_is_told_before_the_exit(shop: Scenario) -> None:
    rows = arriving(log_rows([*ON_SHELF, *AT_TILL, *AT_GATE], 460), "till-1", 326, 380)
    found = cleaned(shop, rows)
    assert readings(found) == ["SHELF-READING", "COUNTER-READING", "EXIT-READING"]
    out = found[-2]
    assert 375_000 <= int(str(out["ts"])) - NOON <= 383_000


def test_who_was_seen_paying_does_not_wait_for_a_till(shop: Scenario) -> None:
    rows = arriving(log_rows([*ON_SHELF, *AT_TILL, *AT_GATE], 460), "till-1", 340, 390)
    out = next(row for row in cleaned(shop, rows) if row["event"] == "EXIT-READING")
    assert int(str(out["ts"])) - NOON <= 363_000


def test_an_exit_waits_no_longer_than_a_minute_for_a_till(shop: Scenario) -> None:
    rows = [
        row
        for row in log_rows([*ON_SHELF, *AT_GATE], 500)
        if row.reader != "till-1" or row.ts < NOON + 330_000
    ]
    out = next(row for row in cleaned(shop, rows) if row["event"] == "EXIT-READING")
    assert 365_000 < int(str(out["ts"])) - NOON <= 424_000


def test_what_a_gate_held_back_is_told_when_it_comes(shop: Scenario) -> None:
    rows = arriving(log_rows([*ON_SHELF, *AT_GATE], 460), "gate-1", 355, 400)
    out = next(row for row in cleaned(shop, rows) if row["event"] == "EXIT-READING")
    assert 394_000 <= int(str(out["ts"])) - NOON <= 403_000


def test_what_a_shelf_held_back_keeps_an_item_there(shop: Scenario) -> None:
    heard = sorted([*ON_SHELF, *steady("hats-1", "AA01", 300, 600, 10)])
    assert readings(cleaned(shop, arriving(log_rows(heard, 600), "hats-1", 400, 450))) == ["SHELF-READING"]


def test_where_the_log_is_cut_changes_nothing_of_what_was_held_back(shop: Scenario) -> None:
    rows = arriving(log_rows([*ON_SHELF, *AT_TILL, *AT_GATE], 460), "till-1", 326, 380)
    whole = cleaned(shop, rows)
    for cut in range(len(rows) - 120, len(rows) - 20, 7):
        assert cleaned(shop, rows, [cut, cut + 3]) == whole


def test_stays_hear_what_came_late_if_nothing_newer_is_known(shop: Scenario) -> None:
    by_stays = replace(shop, cleaning=replace(shop.cleaning, method="stays"))
    rows = arriving(log_rows([*ON_SHELF, *AT_GATE], 460), "gate-1", 355, 400)
    assert readings(cleaned(by_stays, rows)) == ["SHELF-READING", "EXIT-READING"]
    shelf_is_late = arriving(log_rows([*ON_SHELF, *AT_GATE], 460), "hats-1", 200, 400)
    assert readings(cleaned(by_stays, shelf_is_late)) == ["SHELF-READING", "EXIT-READING"]
