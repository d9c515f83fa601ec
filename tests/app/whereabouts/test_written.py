"""What the pipeline writes for the pages is what the log says, and a place of any size is told in bounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import sqlalchemy as sa

from app.cleaning.placed import ELSEWHERE, Placed
from app.cleaning.rebuild import load_once
from app.cleaning.setup import CleaningSetup
from app.place.scenario import Scenario
from app.running.log_follower import LogFollower
from app.running.whereabouts_writer import WhereaboutsWriter
from app.whereabouts import written
from app.whereabouts.answers import Answers
from app.whereabouts.follower import Follower
from app.whereabouts.names import CatalogNames
from app.whereabouts.written import WrittenWhereabouts
from tests.app.rows import NOON, Write, stay


def answers(place: Scenario, found: WrittenWhereabouts) -> Answers:
    return Answers(place, CatalogNames(place.items), found.placed, found.now_ms, found.began_ms)


def test_what_is_written_is_what_a_follower_of_the_log_says(
    cleaning: CleaningSetup, write: Write, shop: Scenario, tag: str, engine: sa.Engine, tmp_path: Path
) -> None:
    write(stay("shelf-denim", tag, NOON, 10_000, 8))
    follower = LogFollower(engine, shop, cleaning)
    follower.catch_up()
    WhereaboutsWriter(follower, tmp_path / written.FILE, lambda: 0.0).look()
    found = written.read(tmp_path / written.FILE)
    assert found is not None
    now, row = Follower(cleaning).now(), 0
    assert answers(load_once(cleaning.scenario), found).of(row) == now.of(row)
    assert (found.now_ms, found.scenario) == (now.now_ms, "store")


def test_it_is_written_again_only_when_there_is_news_and_time(
    cleaning: CleaningSetup, write: Write, shop: Scenario, tag: str, engine: sa.Engine, tmp_path: Path
) -> None:
    clock, path = [100.0], tmp_path / written.FILE
    follower = LogFollower(engine, shop, cleaning)
    writer = WhereaboutsWriter(follower, path, lambda: clock[0])
    told = []
    for second, rows in enumerate([1, 1, 0, 1]):
        if rows:
            write(stay("shelf-denim", tag, NOON + second * 10_000, 1000, 1))
        follower.catch_up()
        writer.look()
        told.append(path.exists())
        path.unlink(missing_ok=True)
        clock[0] += 1.5 if second == 0 else 5.0
    assert told == [True, False, True, True]


def test_a_damaged_or_missing_file_says_nothing(tmp_path: Path) -> None:
    assert written.read(tmp_path / written.FILE) is None
    (tmp_path / written.FILE).write_bytes(b"half a fi")
    assert written.read(tmp_path / written.FILE) is None


def test_an_area_of_a_hundred_thousand_things_names_some_and_counts_all(shop: Scenario) -> None:
    count, areas = 100_000, len(shop.plan.areas)
    number = np.arange(count)
    items = pa.table(
        {
            "tag": [f"T{one:06}" for one in number],
            "id": [f"I{one}" for one in number],
            "name": [f"Product {one % 500}" for one in number],
            "home": ["denim"] * count,
        }
    )
    chances = np.zeros((count, areas + ELSEWHERE), np.float32)
    chances[:, 0], chances[:, 1] = 0.8, 0.2
    times = np.full(count, NOON, np.int64)
    placed = Placed(chances, np.zeros(count, np.int64), times, times, np.zeros(count, np.int64))
    now = Answers(replace(shop, items=items), CatalogNames(items), placed, NOON)
    denim, shirts = now.contents("denim", most=20), now.contents("shirts", most=20)
    assert (len(denim.there), len(denim.amounts), denim.titles) == (20, 20, 500)
    assert denim.number.low < 80_000 < denim.number.high
    assert denim.number.high - denim.number.low == pytest.approx(2 * 1.645 * 126.5, rel=0.02)
    assert (shirts.probably, denim.probably, denim.absent) == (0, count, 0)
