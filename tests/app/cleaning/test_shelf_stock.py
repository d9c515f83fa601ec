"""How many of a product lie on their shelf: told alike however the place is followed and the log is cut."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from app.cleaning.cleaner import Cleaner
from app.cleaning.shelf_stock import LOOK_MS, ShelfStock, StockLine
from app.log.row import Row, to_batch
from app.place.scenario import Scenario, load
from tests.app.cleaning.whereabouts.boutique import BOUTIQUE, Heard, log_rows, steady

HATS = [f"AA{number:02}" for number in range(8)]  # of which two are the highest limit: four times as many
ITEMS = "\n".join(f"    - {{tag: {tag}, id: HAT-{tag}, product: HAT, name: Hat, home: hats}}" for tag in HATS)
MINUTE = 60.0


def shop(folder: Path, method: str = "whereabouts") -> Scenario:
    text = BOUTIQUE.replace("method: whereabouts", f"method: {method}")
    start, end = text.index("    - {tag: AA01"), text.index("cleaning:")
    path = folder / f"{method}.yaml"
    path.write_text(text[:start] + ITEMS + "\n" + text[end:])
    return load(path)


def lying(count: int, start: float, end: float) -> list[Heard]:
    return [one for tag in HATS[:count] for one in steady("hats-1", tag, start, end, 10)]


def bought(tags: Sequence[str], at: float) -> list[Heard]:
    return [one for tag in tags for one in steady("till-1", tag, at, at + 10, 0.5)]


# Seven of eight are bought after five minutes, and brought back after ten.
HEARD = [
    *lying(8, 0, 5 * MINUTE),
    *bought(HATS[1:], 5 * MINUTE + 15),
    *lying(1, 5 * MINUTE, 10 * MINUTE),
    *lying(8, 10 * MINUTE, 15 * MINUTE),
]
ROWS = log_rows(HEARD, 15 * MINUTE)


def told(batches: Sequence[pa.RecordBatch]) -> list[tuple[str, int]]:
    rows = [row for batch in batches for row in batch.to_pylist()]
    return [(row["event"], row["below"]) for row in rows if row["below"] is not None]


def pushed(cleaner: Cleaner, rows: Sequence[Row]) -> pa.RecordBatch:
    return cleaner.push(to_batch(rows))


@pytest.mark.parametrize("method", ["whereabouts", "stays"])
def test_a_shelf_runs_out_and_is_filled_again(tmp_path: Path, method: str) -> None:
    found = told([pushed(Cleaner(shop(tmp_path, method)), ROWS)])
    assert sorted(found[:2]) == [("SHELF-FILLED", 1), ("SHELF-FILLED", 2)]
    assert found[2:] == [("SHELF-LOW", 2), ("SHELF-FILLED", 2)]


def test_the_event_is_about_the_product_and_none_of_its_things(tmp_path: Path) -> None:
    batch = pushed(Cleaner(shop(tmp_path)), ROWS)
    [low] = [row for row in batch.to_pylist() if row["event"] == "SHELF-LOW"]
    assert (low["product"], low["name"], low["area"], low["home"]) == ("HAT", "Hat", "hats", "hats")
    assert (low["tag"], low["id"], low["reader"], low["dwell"]) == (None, None, None, None)
    assert low["prob"] is None or low["prob"] >= 0.95
    assert low["ts"] % LOOK_MS == 0


@pytest.mark.parametrize("cut", [1, 60, 211, 400])
def test_where_the_log_is_cut_and_continued_from_a_snapshot_does_not_matter(tmp_path: Path, cut: int) -> None:
    place = shop(tmp_path)
    whole, first, second = Cleaner(place), Cleaner(place), Cleaner(place)
    early = pushed(first, ROWS[:cut])
    second.restore(first.state())
    assert told([early, pushed(second, ROWS[cut:])]) == told([pushed(whole, ROWS)])


def test_a_snapshot_from_before_tells_nothing_of_what_was_low_then(tmp_path: Path) -> None:
    place = shop(tmp_path)
    before, after = Cleaner(place), Cleaner(place)
    half = [row for row in ROWS if row.ts < ROWS[0].ts + 8 * 60_000]
    pushed(before, half)
    state = before.state()
    after.restore(state.filter(pa.array([not of.startswith("stock") for of in state["of"].to_pylist()])))
    found = told([pushed(after, ROWS[len(half) :])])
    assert sorted(found) == [("SHELF-FILLED", 1), ("SHELF-FILLED", 2)]


def look(stock: ShelfStock, *chances: float) -> list[StockLine]:
    return list(stock.look(0, np.array([*chances, *[0.0] * (8 - len(chances))])))


def test_doubt_tells_nothing_until_it_is_sure_or_over(tmp_path: Path) -> None:
    stock = ShelfStock(shop(tmp_path))
    look(stock, 1, 1, 1)
    assert look(stock, 1, 0.3) == []
    [low] = look(stock, 1, 0.02)
    assert (low.low, low.below, round(low.sure, 2)) == (True, 2, 0.98)
    assert look(stock, 1, 0.4) == []
    [filled] = look(stock, 1, 0.6)
    assert (filled.low, filled.below, round(filled.sure, 2)) == (False, 2, 0.6)


def test_of_few_no_limit_is_watched(tmp_path: Path) -> None:
    place = shop(tmp_path)
    three = load_with(tmp_path, place, 3)
    assert list(ShelfStock(three).moments(np.array([[0, 0]]), 10**6)) == []


def test_nothing_is_looked_at_after_an_hour_in_which_nothing_was_heard(tmp_path: Path) -> None:
    stock = ShelfStock(shop(tmp_path))
    looks = list(stock.moments(np.array([[10**6, 0]]), 10**6 + 10 * 3_600_000))
    assert len(looks) == 3_600_000 // LOOK_MS


def load_with(folder: Path, place: Scenario, count: int) -> Scenario:
    path = folder / "few.yaml"
    text = (folder / f"{place.name}.yaml").read_text()
    path.write_text("\n".join(line for line in text.splitlines() if not _of_more(line, count)) + "\n")
    return load(path)


def _of_more(line: str, count: int) -> bool:
    return any(f"tag: {tag}" in line for tag in HATS[count:])
