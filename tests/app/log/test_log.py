"""The durable log: what was appended is read back, whatever happens to the process or the disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from app import log
from app.log import by_position
from app.log import segment as segment_files
from app.log.segment import segments

SCHEMA = pa.schema([("value", pa.int64())])


def batch(*values: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"value": list(values)}, schema=SCHEMA)


def fill(folder: Path, groups: int, size: int, segment_bytes: int = 4096) -> None:
    with log.LogWriter(folder, SCHEMA, segment_bytes) as writer:
        for group in range(groups):
            writer.append(batch(*range(group * size, (group + 1) * size)))


def values(folder: Path, start: int, stop: int) -> list[int]:
    return [value for part in log.read(folder, start, stop) for value in part["value"].to_pylist()]


def last_path(folder: Path) -> Path:
    return segments(folder)[-1].path


def test_rows_come_back_with_their_positions(tmp_path: Path) -> None:
    fill(tmp_path, groups=3, size=4)
    rows = [row for part in log.read(tmp_path, 2, 7) for row in part.to_pylist()]
    assert rows == [{"position": place, "value": place} for place in range(2, 7)]


def test_the_log_goes_on_where_it_stopped(tmp_path: Path) -> None:
    fill(tmp_path, groups=2, size=3)
    with log.LogWriter(tmp_path, SCHEMA) as writer:
        assert writer.append(batch(6)) == 6
    assert values(tmp_path, 0, log.end(tmp_path)) == list(range(7))


def test_a_full_segment_is_followed_by_another_and_reads_cross_the_border(tmp_path: Path) -> None:
    fill(tmp_path, groups=100, size=5, segment_bytes=2048)
    assert len(segments(tmp_path)) > 5
    assert values(tmp_path, 0, 500) == list(range(500))
    assert values(tmp_path, 123, 321) == list(range(123, 321))


def test_a_frame_larger_than_a_segment_is_kept(tmp_path: Path) -> None:
    fill(tmp_path, groups=3, size=1000, segment_bytes=1024)
    assert values(tmp_path, 0, 3000) == list(range(3000))


def test_a_place_spares_the_search_from_the_beginning(tmp_path: Path) -> None:
    fill(tmp_path, groups=50, size=10, segment_bytes=1 << 20)
    near = log.seek_point(tmp_path, 305)
    assert near is not None
    assert (near.position, near.offset > 0) == (300, True)
    assert log.seek_point(tmp_path, 499, near) == log.seek_point(tmp_path, 499)
    assert [part["value"].to_pylist() for part in log.read(tmp_path, 305, 307, near)] == [[305, 306]]


@pytest.mark.parametrize("cut", [1, 10, 19, 20, 21, 60])
def test_a_torn_tail_is_cut_and_reported(tmp_path: Path, cut: int) -> None:
    fill(tmp_path, groups=3, size=4)
    before = last_path(tmp_path).read_bytes()
    fill(tmp_path, groups=1, size=4)
    torn = last_path(tmp_path).read_bytes()[: len(before) + cut]
    last_path(tmp_path).write_bytes(torn)
    (tmp_path / "synced").write_bytes((12).to_bytes(8, "little"))
    with log.LogWriter(tmp_path, SCHEMA) as writer:
        assert writer.repair is not None
        assert (writer.repair.cut_bytes, writer.repair.lost_rows, writer.position) == (cut, 0, 12)
        writer.append(batch(12))
    assert values(tmp_path, 0, 13) == list(range(13))


def test_damage_to_synced_rows_is_reported_kept_aside_and_their_positions_are_not_used_again(
    tmp_path: Path,
) -> None:
    fill(tmp_path, groups=3, size=4)
    path = last_path(tmp_path)
    raw = bytearray(path.read_bytes())
    raw[-5] ^= 0xFF
    path.write_bytes(raw)
    with log.LogWriter(tmp_path, SCHEMA) as writer:
        assert writer.repair is not None
        assert writer.repair.lost_rows == 4
        assert "4 synced rows" in str(writer.repair)
        assert writer.repair.kept.read_bytes() == raw
        assert writer.append(batch(99)) == 12
    assert values(tmp_path, 0, 13) == [*range(8), 99]


def test_damage_in_a_sealed_segment_is_an_error_and_not_a_gap(tmp_path: Path) -> None:
    fill(tmp_path, groups=100, size=5, segment_bytes=2048)
    path = segments(tmp_path)[1].path
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 0x10
    path.write_bytes(raw)
    with pytest.raises(log.LogDamagedError, match="checksum"):
        values(tmp_path, 0, 500)


def test_a_sealed_segment_that_lost_its_end_is_an_error_and_not_a_gap(tmp_path: Path) -> None:
    fill(tmp_path, groups=100, size=5, segment_bytes=2048)
    path = segments(tmp_path)[1].path
    path.write_bytes(path.read_bytes()[:-150])
    with pytest.raises(log.LogDamagedError):
        values(tmp_path, 0, 500)


def test_readers_see_only_what_is_synced(tmp_path: Path) -> None:
    fill(tmp_path, groups=2, size=3)
    (tmp_path / "synced").write_bytes((3).to_bytes(8, "little"))
    assert log.end(tmp_path) == 3


def test_a_copied_recording_is_readable_without_its_side_files(tmp_path: Path) -> None:
    fill(tmp_path, groups=2, size=3)
    (tmp_path / "synced").unlink()
    assert log.end(tmp_path) == 6


def test_a_log_has_one_writer(tmp_path: Path) -> None:
    with log.LogWriter(tmp_path, SCHEMA), pytest.raises(log.LogBusyError, match="one writer"):
        log.LogWriter(tmp_path, SCHEMA)


def test_retention_by_size_keeps_what_a_consumer_has_not_committed(tmp_path: Path) -> None:
    fill(tmp_path, groups=100, size=5, segment_bytes=2048)
    limit = log.LogRetention(max_bytes=1)
    assert log.trim(tmp_path, limit, now_ms=0) == 0
    log.commit(tmp_path, "fast", 500)
    log.commit(tmp_path, "slow", 123)
    assert log.trim(tmp_path, limit, now_ms=0)
    assert log.earliest(tmp_path) <= 123
    assert values(tmp_path, 123, 500) == list(range(123, 500))


def test_retention_by_age_removes_only_old_segments(tmp_path: Path) -> None:
    fill(tmp_path, groups=100, size=5, segment_bytes=2048)
    log.commit(tmp_path, "spark", 500)
    old = segments(tmp_path)[:3]
    for segment in old:
        os.utime(segment.path, (1_000, 1_000))
    kept = segments(tmp_path)[3:]
    removed = log.trim(tmp_path, log.LogRetention(max_age_ms=60_000), now_ms=1_100_000)
    assert segments(tmp_path) == kept
    assert removed == kept[0].first


def test_reading_what_retention_removed_says_so(tmp_path: Path) -> None:
    fill(tmp_path, groups=100, size=5, segment_bytes=2048)
    log.commit(tmp_path, "spark", 500)
    log.trim(tmp_path, log.LogRetention(max_bytes=1), now_ms=0)
    with pytest.raises(log.LogTrimmedError, match="no longer holds position 0"):
        values(tmp_path, 0, 500)


DISK_FULL = """
import resource, sys
from pathlib import Path
import pyarrow as pa
from app import log
schema = pa.schema([("value", pa.int64())])
row = lambda *values: pa.RecordBatch.from_pydict({"value": list(values)}, schema=schema)
writer = log.LogWriter(Path(sys.argv[1]), schema)
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))
try:
    while True:
        writer.append(row(*range(100)))
except OSError as error:
    print(error.errno, writer.position)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(writer.append(row(7)), writer.position)
"""


def test_a_write_that_finds_no_room_leaves_no_trace_and_the_next_one_succeeds(tmp_path: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", DISK_FULL, str(tmp_path)], capture_output=True, text=True, check=True
    )
    (_, before), (first, after) = (line.split() for line in child.stdout.splitlines())
    assert (int(before) > 0, first, int(after)) == (True, before, int(before) + 1)
    assert len(values(tmp_path, 0, int(after))) == int(after)
    with log.LogWriter(tmp_path, SCHEMA) as writer:
        assert writer.repair is None


def test_a_folder_that_could_not_be_synced_at_rotation_ruins_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_folder: Path) -> None:
        raise OSError("the folder cannot be synced")

    with log.LogWriter(tmp_path, SCHEMA, segment_bytes=1_000) as writer:
        writer.append(batch(1))
        with monkeypatch.context() as broken:
            broken.setattr(segment_files, "sync_folder", failing)
            with pytest.raises(OSError, match="cannot be synced"):
                writer.append(batch(*[2] * 200))
        writer.append(batch(3))
        writer.append(batch(*[4] * 200))
    assert values(tmp_path, 0, 202) == [1, 3, *[4] * 200]


def test_what_is_read_at_once_is_bounded_by_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, groups=10, size=1_000)
    monkeypatch.setattr(by_position, "BATCH_BYTES", 20_000)
    assert [part.num_rows for part in log.read(tmp_path, 0, 10_000)] == [2_000] * 5
