"""Spark's sources: offsets and heartbeats of the stream, and the recording as a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

from app import log
from app.cleaning.setup import CleaningSetup
from app.ingest.intake import Ingest, IngestSettings
from app.mqtt.message import Message
from app.place.find import find_scenario
from app.spark import events, recording_source
from app.spark.offsets import LogOffsets, Offset
from tests.app.brokers import until

START = 1_786_612_500_000


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
    recording_source.register(spark)
    return spark


def offsets(folder: Path, **options: str) -> LogOffsets:
    return LogOffsets({"path": str(folder), **options})


def test_a_batch_ends_before_it_has_too_many_bytes_but_has_some(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 100)
    folder = tmp_path / "log"
    frame = log.size(folder) // 12  # ten frames of ten rows, and what segments begin with
    few = offsets(folder, maxBytes=str(3 * frame))
    ends, at = list[int](), few.initial()
    while (following := few.latest(at)) != at:
        ends, at = [*ends, following["position"]], following
    assert ends[-1] == 100
    assert len(ends) > 3
    assert all(end % 10 == 0 for end in ends)
    assert offsets(folder, maxBytes="1").latest({"position": 5}) == {"position": 10}
    assert offsets(folder).latest({"position": 5}) == {"position": 100}


def test_offsets_are_positions_and_respect_the_read_limit(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 100)
    start = offsets(tmp_path / "log").initial()
    limited = offsets(tmp_path / "log", maxRows="33").latest(start)
    assert (start, limited) == ({"position": 0}, {"position": 33})
    assert offsets(tmp_path / "log").latest(limited) == {"position": 100}


def test_where_nothing_is_new_there_is_no_batch(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 10)
    before: Offset = {"position": 10, "beat": START}
    assert offsets(tmp_path / "log").latest(before) == before


def test_a_checkpoint_of_another_log_is_refused(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 10)
    with pytest.raises(log.LogError, match="not the log that the checkpoint belongs to"):
        offsets(tmp_path / "log").latest({"position": 11})


def test_committing_permits_trimming_and_no_more(tmp_path: Path, recorder: Recorder) -> None:
    recorder.record(0, 1000)
    folder = tmp_path / "log"
    offsets(folder, consumer="pipeline").commit({"position": 500})
    assert log.committed(folder) == {"pipeline": 500}
    log.trim(folder, log.LogRetention(max_bytes=1), now_ms=0)
    assert 0 < log.earliest(folder) <= 500
    assert offsets(folder).initial()["position"] == log.earliest(folder)


def test_a_stream_may_wait_for_a_log_that_does_not_exist_yet(tmp_path: Path) -> None:
    reader = offsets(tmp_path / "none")
    assert reader.latest(reader.initial()) == {"position": 0}


@pytest.mark.parametrize(
    ("options", "fault"), [({}, "needs the folder"), ({"path": "x", "maxRows": "many"}, "maxRows")]
)
def test_wrong_options_are_told(options: dict[str, str], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        LogOffsets(options)


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


def test_a_stream_that_asks_for_what_retention_removed_fails_and_says_why(
    tmp_path: Path, recorder: Recorder, spark: SparkSession
) -> None:
    recorder.record(0, 1000)
    cleaning = CleaningSetup(
        find_scenario("store"), tmp_path / "log", tmp_path / "snapshots", lateness_ms=500
    )
    stream = events.of_log(spark, cleaning, {"maxRows": 5})
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
