"""Cleaning: what becomes of readings, in a shop with two shelves, a fitting room and a door."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.cleaning.cleaner import Cleaner
from app.log.row import Row, to_batch
from app.place.scenario import Scenario, load
from tests.app.cleaning.small_shop import NOON, SHOP

Seen = tuple[float, str, str, float]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    path: Path = tmp_path_factory.mktemp("shop") / "shop.yaml"
    path.write_text(SHOP)
    return load(path)


def rows(reads: Iterable[Seen]) -> pa.RecordBatch:
    """Reads as (seconds after noon, reader, tag, dBm); an empty tag is a status."""
    return to_batch([_row(*read) for read in reads])


def _row(seconds: float, reader: str, tag: str, rssi: float) -> Row:
    ts = NOON + round(seconds * 1000)
    kind = "reading" if tag else "status"
    detail = None if tag else '{"status": "online"}'
    return Row(kind, reader, 1, tag, ts, rssi if tag else None, None, detail, ts, "")


def told(events: pa.RecordBatch, *types: str) -> list[tuple[str, str | None, str | None, float]]:
    """(type, id, area, seconds after noon) of the events, without those about readers unless asked for."""
    found = events.select(["event", "id", "area", "ts"]).to_pylist()
    return [
        (row["event"], row["id"], row["area"], (row["ts"] - NOON) / 1000)
        for row in found
        if (row["event"] in types if types else row["event"] != "READER-ALIVE")
    ]


def steady(reader: str, tag: str, start: float, end: float, every: float, rssi: float = -52.0) -> list[Seen]:
    return [(start + step * every, reader, tag, rssi) for step in range(int((end - start) / every))]


def test_a_tag_is_believed_once_two_reads_agree(shop: Scenario) -> None:
    cleaner = Cleaner(shop)
    assert told(cleaner.push(rows([(0, "tea-1", "AA01", -50)]))) == []
    assert told(cleaner.push(rows([(10, "tea-1", "AA01", -50)]))) == [("SHELF-READING", "TEA-1", "tea", 10.0)]


def test_the_event_carries_what_the_catalog_knows(shop: Scenario) -> None:
    event = Cleaner(shop).push(rows(steady("cab-1", "BB02", 0, 3, 1))).to_pylist()[1]
    assert (event["event"], event["kind"], event["patient"]) == ("CABINET-READING", "medicine", "p1")
    assert (event["reader"], event["dwell"], event["tag"]) == ("cab-1", 0, "BB02")


def test_a_single_ghost_read_is_dropped(shop: Scenario) -> None:
    reads = [*steady("tea-1", "AA01", 0, 60, 10), (35, "door-1", "AA01", -50)]
    assert told(Cleaner(shop).push(rows(sorted(reads)))) == [("SHELF-READING", "TEA-1", "tea", 10.0)]


def test_weak_reads_are_dropped(shop: Scenario) -> None:
    assert told(Cleaner(shop).push(rows(steady("tea-1", "AA01", 0, 60, 10, rssi=-75)))) == []


def test_repeats_are_dropped_however_many(shop: Scenario) -> None:
    reads = steady("tea-1", "AA01", 0, 300, 0.5)
    assert told(Cleaner(shop).push(rows(reads))) == [("SHELF-READING", "TEA-1", "tea", 0.5)]


def test_a_tag_that_stays_is_told_again_from_time_to_time(shop: Scenario) -> None:
    events = Cleaner(shop).push(rows(steady("tea-1", "AA01", 0, 1300, 10)))
    times = [(at, row["dwell"]) for (_, _, _, at), row in zip(told(events), _shelf(events), strict=True)]
    assert times == [(10.0, 0), (610.0, 600_000), (1210.0, 1_200_000)]


def _shelf(events: pa.RecordBatch) -> list[dict[str, object]]:
    return [row for row in events.to_pylist() if row["event"] == "SHELF-READING"]


def test_cross_reads_by_a_neighbour_are_resolved_by_strength(shop: Scenario) -> None:
    reads = [*steady("tea-1", "AA01", 0, 120, 10), *steady("coffee-1", "AA01", 5, 120, 10, rssi=-66)]
    assert told(Cleaner(shop).push(rows(sorted(reads)))) == [("SHELF-READING", "TEA-1", "tea", 10.0)]


def test_two_readers_that_hear_a_tag_by_turns_do_not_keep_it_from_being_believed(shop: Scenario) -> None:
    reads = [*steady("tea-1", "AA01", 0, 60, 10), *steady("coffee-1", "AA01", 5, 60, 10)]
    assert told(Cleaner(shop).push(rows(sorted(reads))))[0] == ("SHELF-READING", "TEA-1", "tea", 10.0)


def test_a_strong_read_in_passing_does_not_outbid_the_place_where_the_tag_ends_up(shop: Scenario) -> None:
    passing = [*steady("tea-1", "AA01", 0, 30, 10), (32, "coffee-1", "AA01", -45)]
    reads = [*passing, *steady("door-1", "AA01", 38, 41, 0.25, rssi=-56)]
    assert told(Cleaner(shop).push(rows(reads)), "EXIT-READING") == [("EXIT-READING", "TEA-1", "door", 38.25)]


def test_a_tag_that_moves_leaves_one_area_and_comes_to_the_other(shop: Scenario) -> None:
    reads = [*steady("tea-1", "AA01", 0, 60, 10), *steady("door-1", "AA01", 65, 67, 0.25, rssi=-55)]
    assert told(Cleaner(shop).push(rows(reads))) == [
        ("SHELF-READING", "TEA-1", "tea", 10.0),
        ("SHELF-LEFT", "TEA-1", "tea", 65.25),
        ("EXIT-READING", "TEA-1", "door", 65.25),
    ]


def test_a_tag_has_left_when_its_reader_goes_on_without_it(shop: Scenario) -> None:
    reads = [*steady("tea-1", "AA01", 0, 60, 10), *steady("tea-1", "AA02", 0, 200, 10)]
    assert told(Cleaner(shop).push(rows(sorted(reads))), "SHELF-LEFT") == [
        ("SHELF-LEFT", "TEA-1", "tea", 121.0)
    ]


def test_status_reports_keep_time_where_nothing_is_read(shop: Scenario) -> None:
    reads = [*steady("tea-1", "AA01", 0, 60, 10), *steady("tea-1", "", 60, 200, 15)]
    assert told(Cleaner(shop).push(rows(reads)), "SHELF-LEFT") == [("SHELF-LEFT", "TEA-1", "tea", 121.0)]


def test_a_reader_that_is_down_has_lost_nothing(shop: Scenario) -> None:
    up = [*steady("tea-1", "AA01", 0, 60, 10), *steady("coffee-1", "AA02", 0, 600, 10)]
    back = [*steady("tea-1", "AA01", 400, 600, 10)]
    assert told(Cleaner(shop).push(rows(sorted(up + back))), "SHELF-LEFT") == []


def test_what_went_while_the_reader_was_down_has_left_after_it_came_back(shop: Scenario) -> None:
    reads = [*steady("tea-1", "AA01", 0, 60, 10), *steady("tea-1", "", 400, 600, 15)]
    assert told(Cleaner(shop).push(rows(reads)), "SHELF-LEFT") == [("SHELF-LEFT", "TEA-1", "tea", 476.0)]


def test_time_alone_sends_nobody_off_before_the_reader_is_heard(shop: Scenario) -> None:
    cleaner = Cleaner(shop)
    cleaner.push(rows(steady("tea-1", "AA01", 0, 60, 10)))
    assert told(cleaner.advance(NOON + 3_600_000)) == []


def test_a_reader_that_is_heard_is_told_every_twenty_seconds(shop: Scenario) -> None:
    events = Cleaner(shop).push(rows(steady("tea-1", "FFFF", 0, 60, 1)))
    assert [at for _, _, _, at in told(events, "READER-ALIVE")] == [0.0, 20.0, 40.0]


def test_a_reader_that_says_goodbye_is_not_alive(shop: Scenario) -> None:
    goodbye = Row("status", "tea-1", 0, "", NOON, None, None, '{"status": "offline"}', NOON, "")
    assert Cleaner(shop).push(to_batch([goodbye])).num_rows == 0


def test_tags_and_readers_that_nobody_knows_are_no_events(shop: Scenario) -> None:
    reads = [*steady("tea-1", "FFFF", 0, 60, 10), *steady("attic-1", "AA01", 0, 60, 10)]
    assert told(Cleaner(shop).push(rows(sorted(reads)))) == []


def test_doses_fall_due_for_patients_whose_wristband_has_been_seen(shop: Scenario) -> None:
    cleaner = Cleaner(shop)
    cleaner.push(rows(steady("cab-1", "BB01", 0, 5, 1)))
    assert told(cleaner.advance(NOON + 9 * 3_600_000), "DOSE-DUE") == [
        ("DOSE-DUE", "PILL-1", "cabinet", 8 * 3600.0)  # where its patient was last
    ]
    assert told(cleaner.advance(NOON + 10 * 3_600_000), "DOSE-DUE") == []


def test_no_dose_is_due_to_a_patient_who_was_never_seen(shop: Scenario) -> None:
    cleaner = Cleaner(shop)
    cleaner.push(rows(steady("tea-1", "AA01", 0, 5, 1)))
    assert told(cleaner.advance(NOON + 9 * 3_600_000), "DOSE-DUE") == []


def test_events_come_in_order_of_time_from_rows_in_any_order(shop: Scenario) -> None:
    reads = [*steady("tea-1", "AA01", 0, 600, 10), *steady("door-1", "AA02", 100, 103, 0.25)]
    events = Cleaner(shop).push(rows(reads))
    assert events["ts"].to_pylist() == sorted(events["ts"].to_pylist())


READS = st.lists(
    st.tuples(
        st.integers(0, 400),
        st.sampled_from(["tea-1", "coffee-1", "cab-1", "door-1"]),
        st.sampled_from(["AA01", "AA02", "BB01", "BB02", "", "FFFF"]),
        st.sampled_from([-50.0, -55.0, -60.0, -65.0, -75.0]),
    ),
    max_size=80,
).map(sorted)


@settings(max_examples=60, deadline=None)
@given(reads=READS, cut=st.integers(0, 80))
def test_cutting_the_stream_and_handing_the_state_over_changes_nothing(
    shop: Scenario, reads: list[Seen], cut: int
) -> None:
    whole = Cleaner(shop).push(rows(reads)) if reads else None
    first, second = Cleaner(shop), Cleaner(shop)
    parts = [first.push(rows(reads[:cut]))] if reads[:cut] else []
    second.restore(first.state())
    parts += [second.push(rows(reads[cut:]))] if reads[cut:] else []
    assert [row for part in parts for row in part.to_pylist()] == (whole.to_pylist() if whole else [])


@settings(max_examples=60, deadline=None)
@given(reads=READS)
def test_a_tag_is_in_one_place_at_a_time(shop: Scenario, reads: list[Seen]) -> None:
    events = told(Cleaner(shop).push(rows(reads))) if reads else []
    for item in ("TEA-1", "TEA-2"):
        mine = [(kind.rpartition("-")[2], area) for kind, one, area, _ in events if one == item]
        stays = [pair for pair in pairwise(mine) if pair[0][0] == "LEFT"]
        moves = [pair for pair in pairwise(mine) if pair[0][0] == "READING"]
        assert all(after[0] == "READING" for _, after in stays)
        assert all(before[1] == after[1] for before, after in moves)
