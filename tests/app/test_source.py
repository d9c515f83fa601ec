"""The Spark source: offsets, heartbeats and exactly-once over restarts, as a stream and as a recording."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows

from app import log
from app.ingest.intake import Ingest, IngestSettings
from app.mqtt.message import Message
from app.spark import log_source as source
from app.spark.log_source import LogStreamReader, Offset
from tests.app.brokers import until

START = 1_786_612_500_000
EVERYTHING = ReadMaxRows(1_000_000)


def message(seq: int) -> Message:
    return Message("vigil/readings/r1", json.dumps({"tag": "AABB", "ts": START + seq, "seq": seq}).encode())


@dataclass
class Recorder:
    """Writes readings whose times are those of the test."""

    ingest: Ingest

    def record(self, start: int, count: int, group: int = 10) -> None:
        for first in range(start, start + count, group):
            self.ingest.take([message(seq) for seq in range(first, min(first + group, start + count))])


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    ingest = Ingest(IngestSettings(tmp_path / "log", segment_bytes=16_384))
    yield Recorder(ingest)
    ingest.close()


@pytest.fixture
def vigil_spark(spark: SparkSession) -> SparkSession:
    source.register(spark)
    return spark


@dataclass
class Wall:
    now: int = START

    def __call__(self) -> int:
        return self.now


def stream_reader(folder: Path, wall: Wall, **options: str) -> LogStreamReader:
    return LogStreamReader({"path": str(folder), **options}, wall)


def rows(reader: LogStreamReader, start: Offset, end: Offset) -> list[dict[str, Any]]:
    parts = reader.partitions(start, end)
    return [row for part in parts for batch in reader.read(part) for row in batch.to_pylist()]


def test_offsets_are_positions_and_respect_the_read_limit(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 100)
    reader = stream_reader(tmp_path / "log", Wall())
    start = reader.initialOffset()
    limited = reader.latestOffset(start, ReadMaxRows(33))
    assert (start, limited) == ({"position": 0, "beat": 0}, {"position": 33, "beat": 0})
    assert [row["seq"] for row in rows(reader, start, limited)] == list(range(33))
    assert reader.latestOffset(limited, ReadAllAvailable()) == {"position": 100, "beat": 0}


def test_a_quiet_log_beats_when_it_is_due_and_not_before(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 10)
    wall = Wall(START + 1_500)
    reader = stream_reader(tmp_path / "log", wall, heartbeatSlackMs="1000")
    end: Offset = {"position": 10, "beat": 0}
    assert reader.latestOffset(end, EVERYTHING) == end
    wall.now = START + 2_100
    beaten = reader.latestOffset(end, EVERYTHING)
    assert beaten == {"position": 10, "beat": START + 1_100}
    wall.now += 500
    assert reader.latestOffset(beaten, EVERYTHING) == beaten


def test_a_heartbeat_is_the_same_however_often_it_is_replayed(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 10)
    start: Offset = {"position": 4, "beat": START}
    end: Offset = {"position": 6, "beat": START + 5_000}
    first, second = (rows(stream_reader(tmp_path / "log", Wall()), start, end) for _ in range(2))
    assert first == second
    assert [(row["kind"], row["position"], row["ts"]) for row in first] == [
        ("reading", 4, START + 4),
        ("reading", 5, START + 5),
        ("heartbeat", source.NO_POSITION, START + 5_000),
    ]


def test_no_heartbeat_is_older_than_what_was_emitted_when_the_clock_is_set_back(
    tmp_path: Path, recorder: Recorder
) -> None:
    recorder.record(0, 10)
    wall = Wall(START + 60_000)
    reader = stream_reader(tmp_path / "log", wall)
    beaten = reader.latestOffset({"position": 10, "beat": 0}, EVERYTHING)
    wall.now = START + 30_000
    assert reader.latestOffset(beaten, EVERYTHING) == beaten
    wall.now = START - 3_600_000
    assert reader.latestOffset({"position": 10, "beat": 0}, EVERYTHING) == {"position": 10, "beat": 0}


def test_no_time_passes_while_nobody_listens_to_the_readers(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 10)
    mark = log.Mark(tmp_path / "log", log.LISTENING)
    mark.move(START + 5_000)
    mark.close()
    reader = stream_reader(tmp_path / "log", Wall(START + 3_600_000))
    beaten = reader.latestOffset({"position": 10, "beat": 0}, EVERYTHING)
    assert beaten == {"position": 10, "beat": START + 4_000}
    assert reader.latestOffset(beaten, EVERYTHING) == beaten


def test_heartbeats_can_be_switched_off(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 10)
    reader = stream_reader(tmp_path / "log", Wall(START + 3_600_000), heartbeatMs="0")
    assert reader.latestOffset({"position": 10, "beat": 0}, EVERYTHING) == {"position": 10, "beat": 0}


def test_available_now_stops_at_what_was_there(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 20)
    reader = stream_reader(tmp_path / "log", Wall(START + 3_600_000))
    reader.prepareForTriggerAvailableNow()
    recorder.record(20, 20)
    end = reader.latestOffset(reader.initialOffset(), EVERYTHING)
    assert end == {"position": 20, "beat": 0}
    assert reader.latestOffset(end, EVERYTHING) == end


def test_a_checkpoint_of_another_log_is_refused(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 10)
    with pytest.raises(log.LogError, match="not the log that the checkpoint belongs to"):
        stream_reader(tmp_path / "log", Wall()).latestOffset({"position": 11, "beat": 0}, EVERYTHING)


def test_committing_permits_trimming_and_no_more(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 1000)
    folder = tmp_path / "log"
    stream_reader(folder, Wall(), consumer="pipeline").commit({"position": 500, "beat": 0})
    assert log.committed(folder) == {"pipeline": 500}
    log.trim(folder, log.LogRetention(max_bytes=1), now_ms=0)
    assert 0 < log.earliest(folder) <= 500
    assert stream_reader(folder, Wall()).initialOffset()["position"] == log.earliest(folder)


def test_a_stream_may_wait_for_a_log_that_does_not_exist_yet(tmp_path: Path) -> None:
    reader = stream_reader(tmp_path / "none", Wall())
    assert reader.latestOffset(reader.initialOffset(), EVERYTHING) == {"position": 0, "beat": START - 1_000}


@pytest.mark.parametrize(
    ("options", "fault"), [({}, "needs the folder"), ({"path": "x", "maxRows": "many"}, "maxRows")]
)
def test_wrong_options_are_told(options: dict[str, str], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        LogStreamReader(options)


def test_a_recording_is_a_table_with_bounds(
    tmp_path: Path, recorder: Recorder, vigil_spark: SparkSession
) -> None:
    recorder.record(0, 1000)
    recording = vigil_spark.read.format("vigil")
    table = recording.load(str(tmp_path / "log"))
    assert table.count() == 1000
    assert table.rdd.getNumPartitions() > 1
    assert table.selectExpr("unix_millis(time) = ts").distinct().collect() == [(True,)]
    bounded = recording.options(fromPosition=100, toPosition=900, fromTs=START + 200, toTs=START + 300)
    positions = [row.position for row in bounded.load(str(tmp_path / "log")).orderBy("position").collect()]
    assert positions == list(range(200, 300))


def stored(spark: SparkSession, folder: Path) -> list[int]:
    return [
        row.seq for row in spark.read.parquet(str(folder)).where("kind = 'reading'").select("seq").collect()
    ]


def copy(stream: DataFrame, folder: Path) -> StreamingQuery:
    """Spark's own exactly-once sink: files, listed by batch."""
    writer = stream.writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
    return writer.trigger(availableNow=True).start(str(folder / "out"))


def test_every_row_is_processed_exactly_once_over_restarts(
    tmp_path: Path, recorder: Recorder, vigil_spark: SparkSession
) -> None:
    stream = vigil_spark.readStream.format("vigil").option("maxRows", 170).load(str(tmp_path / "log"))
    for start in (0, 500):
        recorder.record(start, 500)
        query = copy(stream, tmp_path)
        assert query.awaitTermination(120)
    assert sorted(stored(vigil_spark, tmp_path / "out")) == list(range(1000))
    # Spark commits a batch when it plans the next one.
    assert 0 < log.committed(tmp_path / "log")["spark"] <= 1000


def test_heartbeats_move_the_watermark_of_a_quiet_stream(
    tmp_path: Path, recorder: Recorder, vigil_spark: SparkSession
) -> None:
    recorder.record(0, 10)
    stream = vigil_spark.readStream.format("vigil").option("heartbeatMs", 200).load(str(tmp_path / "log"))
    timed = stream.withWatermark("time", "1 second").groupBy("kind", "time").count()
    query = timed.writeStream.format("memory").queryName("beats").outputMode("append").start()
    until(lambda: vigil_spark.table("beats").where("kind = 'reading'").count() == 10, 280)
    query.stop()


def test_a_stream_that_asks_for_what_retention_removed_fails_and_says_why(
    tmp_path: Path, recorder: Recorder, vigil_spark: SparkSession
) -> None:
    recorder.record(0, 1000)
    stream = vigil_spark.readStream.format("vigil").option("maxRows", 5).load(str(tmp_path / "log"))
    query = (
        stream.writeStream.format("noop").option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    )
    until(lambda: query.lastProgress is not None, 60)
    query.stop()
    log.commit(tmp_path / "log", "spark", 1000)
    recorder.record(1000, 1000)
    log.trim(tmp_path / "log", log.LogRetention(max_bytes=1), now_ms=0)
    again = (
        stream.writeStream.format("noop").option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    )
    with pytest.raises(StreamingQueryException, match="no longer holds position"):
        again.awaitTermination(60)
