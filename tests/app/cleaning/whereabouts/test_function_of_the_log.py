"""Whereabouts are a function of the log: cuts and snapshots anywhere change nothing."""

from dataclasses import replace
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from app.cleaning.cleaner import Cleaner
from app.cleaning.stream import CleanedStream
from app.log.row import ROW_SCHEMA, Row, to_batch
from app.place.scenario import Scenario
from tests.app.cleaning.whereabouts.boutique import NOON, READERS, boutique, log_rows, steady

READS = {"hats-1": 10.0, "coats-1": 10.0, "fitting-1": 5.0, "till-1": 0.5, "gate-1": 0.25}
NO_SHRINK = (Phase.explicit, Phase.reuse, Phase.generate)
VISIT = st.tuples(
    st.sampled_from(READERS),
    st.sampled_from(["AA01", "AA02", "AA03"]),
    st.floats(0, 400),
    st.sampled_from([1, 2, 5, 12, 30]),
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    return boutique(tmp_path_factory.mktemp("boutique"))


def rows_of(visits: list[tuple[str, str, float, int]], down: str) -> list[Row]:
    heard = [
        one
        for reader, tag, start, times in visits
        for one in steady(reader, tag, start, start + times * READS[reader], READS[reader])
    ]
    return log_rows(heard, 800, down=[down])


def numbered(rows: list[Row]) -> pa.RecordBatch:
    positions = pa.array(range(len(rows)), pa.int64())
    return pa.RecordBatch.from_arrays([positions, *to_batch(rows).columns], schema=ROW_SCHEMA)


def pieces(rows: list[Row], cuts: set[int]) -> list[pa.RecordBatch]:
    edges = [0, *sorted(cut for cut in cuts if 0 < cut < len(rows)), len(rows)]
    whole = numbered(rows)
    return [whole.slice(low, high - low) for low, high in pairwise(edges)]


def told(stream: CleanedStream, batches: list[pa.RecordBatch]) -> list[dict[str, object]]:
    found = [row for batch in batches for row in stream.push(batch).to_pylist()]
    return [row for row in found if row["event_id"] is not None]


@settings(max_examples=30, deadline=None, phases=NO_SHRINK)
@given(
    visits=st.lists(VISIT, min_size=3, max_size=12),
    cuts=st.sets(st.integers(1, 1500), max_size=8),
    kill=st.integers(0, 7),
    down=st.sampled_from(["nobody", "hats-1", "gate-1"]),
)
def test_any_cut_and_any_snapshot_give_the_same_events(
    shop: Scenario, visits: list[tuple[str, str, float, int]], cuts: set[int], kill: int, down: str
) -> None:
    rows = rows_of(visits, down)
    expected = told(CleanedStream(shop, 500), [numbered(rows)])
    batches = pieces(rows, cuts)
    first, second = CleanedStream(shop, 500), CleanedStream(shop, 500)
    before = told(first, batches[:kill])
    second.restore(first.snapshot())
    assert before + told(second, batches[kill:]) == expected


def test_a_night_without_readers_passes_as_no_time(shop: Scenario) -> None:
    """However the silent hours are cut: nothing is told of them, and the shelf goes on in the morning."""
    evening, morning = steady("hats-1", "AA01", 0, 600, 10), steady("hats-1", "AA01", 50_000, 50_600, 10)
    rows = [*log_rows(evening, 600), *log_rows(morning, 0)]
    cut, whole = Cleaner(shop), Cleaner(shop)
    parts = [cut.push(to_batch(rows[:60])), *(cut.advance(NOON + hour * 3_600_000) for hour in range(1, 13))]
    in_parts = [row for part in [*parts, cut.push(to_batch(rows[60:]))] for row in part.to_pylist()]
    assert in_parts == whole.push(to_batch(rows)).to_pylist()
    assert [row["event"] for row in in_parts if row["id"]] == ["SHELF-READING"] * 2


def test_a_snapshot_of_stays_goes_on_as_whereabouts(shop: Scenario) -> None:
    """What an older version has kept: the item still lies there, and is not told to arrive again."""
    older = Cleaner(_by_stays(shop))
    older.push(to_batch(log_rows(steady("hats-1", "AA01", 0, 300, 10), 300)))
    newer = Cleaner(shop)
    newer.restore(older.state())
    on_shelf, at_gate = steady("hats-1", "AA01", 300, 500, 10), steady("gate-1", "AA01", 530, 533, 0.25)
    later = [row for row in log_rows([*on_shelf, *at_gate], 600) if row.ts >= NOON + 300_000]
    found = [row["event"] for row in newer.push(to_batch(later)).to_pylist() if row["id"]]
    assert found == ["SHELF-LEFT", "EXIT-READING", "EXIT-LEFT"]


def test_what_lay_there_in_a_snapshot_of_stays_and_is_never_heard_again_leaves(shop: Scenario) -> None:
    older = Cleaner(_by_stays(shop))
    older.push(to_batch(log_rows(steady("fitting-1", "AA01", 0, 60, 5), 60)))
    newer = Cleaner(shop)
    newer.restore(older.state())
    found = newer.push(to_batch(log_rows([], 400))).to_pylist()
    assert [row["event"] for row in found if row["id"]] == ["FITTING-LEFT"]


def _by_stays(shop: Scenario) -> Scenario:
    return replace(shop, cleaning=replace(shop.cleaning, method="stays"))
