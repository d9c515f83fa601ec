"""What Vigil asks of a log, asked of a folder and of a stream."""

from __future__ import annotations

from contextlib import closing

import pyarrow as pa
import pytest

from app import log
from app.log import LogAddress
from app.log.by_time import positions_between

SCHEMA = pa.schema([("value", pa.int64()), ("received", pa.int64())])
ALL_IT_CAN = log.LogRetention(max_bytes=1)


def batch(values: range) -> pa.RecordBatch:
    columns = {"value": list(values), "received": [1_000 + value for value in values]}
    return pa.RecordBatch.from_pydict(columns, schema=SCHEMA)


def fill(where: LogAddress, groups: int, size: int) -> None:
    with closing(log.open_writer(where, SCHEMA, segment_bytes=2_048)) as writer:
        for start in range(0, groups * size, size):
            assert writer.append(batch(range(start, start + size))) == start


def values(where: LogAddress, start: int, stop: int, near: log.SeekPoint | None = None) -> list[int]:
    return [value for part in log.read(where, start, stop, near) for value in part["value"].to_pylist()]


def test_a_log_that_does_not_exist_is_empty(where: LogAddress) -> None:
    assert (log.earliest(where), log.end(where), log.size(where)) == (0, 0, 0)
    assert values(where, 0, 10) == []
    assert log.committed(where) == {}
    assert log.kept(where, "client-id") is None
    assert log.seek_point(where, 0) is None
    assert log.ranges(where, 0, 10) == []
    assert log.trim(where, ALL_IT_CAN, now_ms=0) == 0
    assert positions_between(where, 0, 10) == (0, 0)


def test_rows_come_back_with_their_positions(where: LogAddress) -> None:
    fill(where, groups=3, size=4)
    rows = [row for part in log.read(where, 2, 7) for row in part.to_pylist()]
    assert rows == [{"position": at, "value": at, "received": 1_000 + at} for at in range(2, 7)]
    assert [part["value"].to_pylist() for part in log.tail(where, 2)] == [[10, 11]]
    assert values(where, 8, 100) == [8, 9, 10, 11]
    assert values(where, 12, 100) == []


def test_it_goes_on_where_it_stopped_however_often(where: LogAddress) -> None:
    fill(where, groups=2, size=3)
    for start in (6, 8):
        with closing(log.open_writer(where, SCHEMA)) as writer:
            assert writer.position == start
            assert writer.append(batch(range(start, start + 2))) == start
    log.open_writer(where, SCHEMA).close()
    assert log.end(where) == 10
    assert values(where, 0, 10) == list(range(10))


def test_a_log_may_begin_at_any_position(where: LogAddress) -> None:
    with closing(log.open_writer(where, SCHEMA, first=700)) as writer:
        assert writer.append(batch(range(700, 705))) == 700
    assert (log.earliest(where), log.end(where)) == (700, 705)
    assert values(where, 700, 705) == list(range(700, 705))


def test_many_rows_come_in_batches_that_are_worth_it(where: LogAddress) -> None:
    fill(where, groups=50, size=400)
    parts = list(log.read(where, 1, 20_000))
    assert len(parts) == 2
    assert [value for part in parts for value in part["value"].to_pylist()] == list(range(1, 20_000))


def test_a_place_near_by_saves_the_search_and_changes_nothing(where: LogAddress) -> None:
    fill(where, groups=100, size=5)
    near = log.seek_point(where, 303)
    assert near is not None
    assert near.position == 300
    assert log.seek_point(where, 499, near) == log.seek_point(where, 499)
    assert values(where, 303, 312, near) == list(range(303, 312))
    assert values(where, 2, 8, near) == list(range(2, 8))
    strange = log.SeekPoint(17, near.segment, near.offset)
    assert log.seek_point(where, 16, strange) == log.seek_point(where, 16)


def test_a_batch_ends_with_a_frame_before_it_has_too_many_bytes(where: LogAddress) -> None:
    fill(where, groups=100, size=5)
    assert log.bounded_end(where, 5, 500, most_bytes=1 << 30) == 500
    assert log.bounded_end(where, 5, 500, most_bytes=1) == 10
    assert log.bounded_end(where, 7, 500, most_bytes=1) == 10
    some = log.bounded_end(where, 5, 500, log.size(where) // 3)
    assert 100 < some < 250
    assert some % 5 == 0
    assert log.bounded_end(where, 5, 500, log.size(where) // 3, log.seek_point(where, 5)) == some


def test_parts_that_are_read_side_by_side_are_the_whole(where: LogAddress) -> None:
    fill(where, groups=100, size=5)
    parts = log.ranges(where, 3, 498)
    assert [value for part in parts for value in values(where, part.start, part.stop)] == list(range(3, 498))


def test_rows_are_found_by_when_they_came(where: LogAddress) -> None:
    fill(where, groups=40, size=5)
    log.open_writer(where, SCHEMA).close()
    assert positions_between(where, 1_077, 1_120) == (77, 120)
    assert positions_between(where, 0, 9_999) == (0, 200)
    assert log.first_received(where, 1_199) == 199


def test_what_a_consumer_needs_is_not_trimmed(where: LogAddress) -> None:
    fill(where, groups=300, size=5)
    assert log.trim(where, ALL_IT_CAN, now_ms=0) == 0
    log.commit(where, "fast", 1_500)
    log.commit(where, "slow", 1_000)
    log.commit(where, "slow", 1_123)
    assert log.committed(where) == {"fast": 1_500, "slow": 1_123}
    removed = log.trim(where, ALL_IT_CAN, now_ms=0)
    assert 900 < removed <= 1_123
    assert log.earliest(where) == removed
    assert values(where, removed, 1_500) == list(range(removed, 1_500))
    assert positions_between(where, 0, 2_200) == (removed, 1_200)


def test_what_was_trimmed_is_an_error_in_words_and_never_a_gap(where: LogAddress) -> None:
    fill(where, groups=300, size=5)
    near = log.seek_point(where, 3)
    log.commit(where, "spark", 1_200)
    first = log.trim(where, ALL_IT_CAN, now_ms=0)
    with pytest.raises(log.LogTrimmedError, match="no longer holds position 0"):
        values(where, 0, 1_500)
    with pytest.raises(log.LogTrimmedError, match="no longer holds position 3"):
        values(where, 3, 5, near)
    with pytest.raises(log.LogTrimmedError):
        log.bounded_end(where, first - 1, 1_500, 1_000)


def test_the_last_rows_stay_and_it_goes_on_after_them(where: LogAddress) -> None:
    fill(where, groups=3, size=5)
    log.commit(where, "spark", 15)
    log.trim(where, ALL_IT_CAN, now_ms=0)
    with closing(log.open_writer(where, SCHEMA)) as writer:
        assert writer.append(batch(range(15, 16))) == 15
    assert values(where, 15, 16) == [15]


def test_small_texts_are_kept_beside_it(where: LogAddress) -> None:
    fill(where, groups=1, size=1)
    log.keep(where, "client-id", "one\n")
    log.keep(where, "client-id", "two\n")
    assert log.kept(where, "client-id") == "two\n"
    assert log.kept(log.beside(where, "dead-letters"), "client-id") is None
    assert log.committed(where) == {}


def test_a_log_beside_it_is_another_log(where: LogAddress) -> None:
    fill(where, groups=1, size=3)
    fill(log.beside(where, "dead-letters"), groups=1, size=7)
    assert (log.end(where), log.end(log.beside(where, "dead-letters"))) == (3, 7)
