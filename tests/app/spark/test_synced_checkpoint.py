"""A power cut takes what Spark wrote last: the stream goes on from what was synced, and tells the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pyspark.sql import Row, SparkSession

from app.spark.synced_checkpoint import NOTE, SyncedCheckpoint
from sase.spark import match
from tests.sase.spark.streams import drained, found, read, write

QUERIES = {"pair": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 60 sec"}
BATCHES = [[{"event": "AB"[at % 2], "ts": 1000 * at, "id": 7, "v": at}] for at in range(6)]


def booted(name: str) -> Callable[[], str]:
    return lambda: name


def numbers(folder: Path) -> list[int]:
    return sorted(int(path.name) for path in folder.glob("[0-9]*"))


def damage(checkpoint: Path, batch: int) -> None:
    """Files of micro-batches after this one are there and empty, as a power cut leaves them."""
    lost = [
        checkpoint / kind / str(at) for kind in ("offsets", "commits") for at in numbers(checkpoint / kind)
    ]
    lost = [path for path in lost if int(path.name) > batch]
    changes = [path for path in (checkpoint / "state").rglob("*.changelog") if int(path.stem) > batch + 1]
    assert lost
    assert changes
    for path in (*lost, *changes):
        path.write_bytes(b"")


def test_after_a_power_cut_the_stream_goes_on_from_what_was_synced(
    spark: SparkSession, tmp_path: Path
) -> None:
    folder, checkpoint = tmp_path / "in", tmp_path / "checkpoint"

    def run() -> list[Row]:
        return drained(match(read(spark, folder), QUERIES, buckets=1), checkpoint)

    write(folder, BATCHES[:3])
    before = found(run())
    SyncedCheckpoint(checkpoint, booted("today")).sync()
    last = numbers(checkpoint / "commits")[-1]
    write(folder, BATCHES[3:], 3)
    after = found(run())
    damage(checkpoint, last)
    assert SyncedCheckpoint(checkpoint, booted("tomorrow")).cut_back() == last
    assert found(run()) == after
    assert len(before) < len({*before, *after}) == 6


def test_a_process_that_was_killed_has_lost_nothing_and_is_not_cut_back(tmp_path: Path) -> None:
    (tmp_path / "commits").mkdir()
    (tmp_path / "commits" / "0").write_text("v1")
    checkpoint = SyncedCheckpoint(tmp_path, booted("today"))
    checkpoint.sync()
    (tmp_path / "commits" / "1").write_text("v1")
    assert checkpoint.cut_back() is None
    assert (tmp_path / "commits" / "1").exists()


def test_a_checkpoint_without_a_note_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "commits").mkdir()
    (tmp_path / "commits" / "0").write_text("v1")
    assert SyncedCheckpoint(tmp_path, booted("today")).cut_back() is None
    assert not (tmp_path / NOTE).exists()
    assert (tmp_path / "commits" / "0").exists()
