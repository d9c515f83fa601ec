"""Exactly once: a stream killed at random moments ends with the matches of an undisturbed one."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sase.spark import match
from tests.sase.spark.exactly_once import (
    PATIENCE,
    events_in_order,
    kill,
    rows,
    started,
    stream,
    wait_for_batches,
)
from tests.sase.spark.streams import SCHEMA, write
from tests.sase.spark.victim import QUERIES


def survived(folder: Path, kills: int, chance: random.Random) -> None:
    """Kill the stream so many times, each time after some more batches and a moment; then let it finish."""
    for _ in range(kills):
        process = started(folder)
        done = len(list((folder / "out").iterdir()))
        wait_for_batches(folder, done + chance.randrange(1, 3), process)
        time.sleep(chance.uniform(0, 0.6))
        kill(process)
    assert started(folder).wait(PATIENCE) == 0, (folder / "said").read_text()[-3000:]


def check(spark: Any, tmp_path: Path, kills: int) -> None:
    events = stream(kills, 40 * (3 * kills + 4))
    write(tmp_path / "in", [events[i : i + 40] for i in range(0, len(events), 40)])
    (tmp_path / "out").mkdir()
    survived(tmp_path, kills, random.Random(kills))
    undisturbed = match(spark.createDataFrame(events_in_order(events), SCHEMA), QUERIES)
    expected = Counter(row["id"] for row in undisturbed.collect() if row["kind"] == "match")
    assert Counter(row["id"] for row in rows(tmp_path) if row["kind"] == "match") == expected
    assert max(expected.values()) == 1
    assert len(expected) > 100


@pytest.mark.timeout(900)
def test_a_stream_killed_five_times_loses_nothing_and_doubles_nothing(spark: Any, tmp_path: Path) -> None:
    check(spark, tmp_path, kills=5)


@pytest.mark.soak
@pytest.mark.timeout(14400)
def test_a_stream_killed_a_hundred_times_loses_nothing_and_doubles_nothing(
    spark: Any, tmp_path: Path
) -> None:
    check(spark, tmp_path, kills=100)
