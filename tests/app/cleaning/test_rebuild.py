"""What is computed is a function of the log alone: cuts, kills and snapshots change nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import log
from app.cleaning.setup import CleaningSetup
from app.log.row import STORED_SCHEMA, Row, clock_row, heartbeat_row, to_batch
from app.spark import cleaned_log
from app.spark.cleaned_log import CleanedLog
from tests.app.cleaning.small_shop import NOON, SHOP
from tests.app.rows import online, stay

EVENING = NOON + 8 * 3_600_000 - 10_000  # a few seconds before a dose is due
LATENESS_MS = 500


@pytest.fixture(autouse=True, scope="module")
def often() -> Iterator[None]:
    """A snapshot every few rows."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cleaned_log, "SNAPSHOT_ROWS", 5)
        yield


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("shop") / "shop.yaml"
    path.write_text(SHOP)
    return path


READERS = st.sampled_from(["cab-1", "door-1"])
TAGS = st.sampled_from(["AA01", "BB01"])
BEHIND = st.sampled_from([0, 100, 400, 700, 3_000])
ROWS = st.one_of(
    st.builds(
        lambda reader, tag, behind: lambda now: stay(reader, tag, now - behind, 250, 3), READERS, TAGS, BEHIND
    ),
    st.builds(lambda reader, behind: lambda now: [online(reader, now - behind)], READERS, BEHIND),
    st.builds(lambda reader: lambda now: [clock_row(reader, now, now, 1_000, 0)], READERS),
    st.just(lambda now: [heartbeat_row(now - 1_000, now)]),
)
Steps = list[tuple[int, Callable[[int], list[Row]]]]
STEPS = st.lists(st.tuples(st.sampled_from([0, 250, 1_000, 5_000]), ROWS), min_size=10, max_size=40)


def written(steps: Steps) -> list[Row]:
    moments = accumulate(passed for passed, _ in steps)
    return [row for moment, (_, rows) in zip(moments, steps, strict=True) for row in rows(EVENING + moment)]


def told(batches: list[pa.RecordBatch]) -> tuple[list[object], list[object]]:
    """The events with their numbers, and what was late."""
    rows = [row for batch in batches for row in batch.to_pylist()]
    events = [row for row in rows if row["event_id"] is not None]
    return events, [(row["ts"], row["tag"], row["reader"]) for row in rows if row["event"] == "LATE-READING"]


@settings(max_examples=50, deadline=None)
@given(steps=STEPS, cuts=st.sets(st.integers(1, 100)), kills=st.sets(st.integers(1, 100)))
def test_a_process_that_is_killed_anywhere_tells_what_one_that_goes_on_tells(
    place: Path, steps: Steps, cuts: set[int], kills: set[int]
) -> None:
    rows = written(steps)
    edges = sorted({0, len(rows)} | {cut for cut in cuts | kills if cut < len(rows)})
    with tempfile.TemporaryDirectory() as folder:
        setup = CleaningSetup(place, Path(folder) / "log", Path(folder) / "snapshots", LATENESS_MS)
        untouched = CleaningSetup(place, setup.log, Path(folder) / "others", LATENESS_MS)
        with log.LogWriter(setup.log, STORED_SCHEMA) as writer:
            writer.append(to_batch(rows))
        expected = told(CleanedLog(untouched).between({"position": 0}, {"position": len(rows)}))
        cleaned = {edge: CleanedLog(setup) for edge in edges}
        living = [max({0} | {kill for kill in kills if kill <= low}) for low, _ in pairwise(edges)]
        parts = [
            batch
            for life, (low, high) in zip(living, pairwise(edges), strict=True)
            for batch in cleaned[life].between({"position": low}, {"position": high})
        ]
    assert told(parts) == expected
