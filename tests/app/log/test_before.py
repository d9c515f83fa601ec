"""A log from before tags' codes left the rows: `before` was written by the code of commit 0479c22."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

from app import log
from app.cleaning.rebuild import stream_at
from app.cleaning.setup import CleaningSetup
from app.ingest import dead_letters
from app.ingest.intake import Counts, Ingest, IngestSettings
from app.log.row import ROW_SCHEMA, STORED_SCHEMA, control_row, heartbeat_row, to_batch
from app.log.segment import schema_of, segments
from app.mqtt.message import Message
from app.place.find import find_scenario

BEFORE = Path(__file__).parent / "before"
TAGS = ["3034257BF400B7800004CB2F", "E2801160600002054CC2096F", "", "3114257BF4499602D2000000", ""]
KINDS = ["reading", "reading", "status", "reading", "control"]
T0 = 1_786_612_500_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(BEFORE / "log", tmp_path / "log")


def message(tag: str, ts: int, seq: int) -> Message:
    said = {"reader": "shelf-denim", "antenna": 1, "tag": tag, "ts": ts, "rssi": -51.5, "seq": seq}
    return Message("vigil/readings/shelf-denim", json.dumps(said).encode())


def test_its_rows_are_read_without_what_is_no_longer_kept(folder: Path) -> None:
    [batch] = log.read(folder, 0, log.end(folder))
    assert batch.schema == ROW_SCHEMA
    assert (batch["kind"].to_pylist(), batch["tag"].to_pylist()) == (KINDS, TAGS)


def test_it_is_continued_and_read_across_in_one_batch(folder: Path) -> None:
    ingest = Ingest(IngestSettings(folder))
    ingest.take([message(TAGS[0], T0, 1), message("AABB", T0 + 9_000, 4)])
    ingest.close()
    assert ingest.counts == Counts(messages=2, rows=1, duplicates=1)
    [batch] = log.read(folder, 1, log.end(folder))
    assert batch.schema == ROW_SCHEMA
    assert batch["position"].to_pylist() == [1, 2, 3, 4, 5]
    assert batch["tag"].to_pylist() == [*TAGS[1:], "AABB"]
    assert [segment.first for segment in segments(folder)] == [0, 5]


def test_it_goes_on_over_another_restart(folder: Path) -> None:
    for ts in (1, 2):
        with log.LogWriter(folder, STORED_SCHEMA) as writer:
            writer.append(to_batch([heartbeat_row(ts, ts)]))
    assert [segment.first for segment in segments(folder)] == [0, 5]
    assert log.end(folder) == 7


def test_a_segment_of_then_that_is_still_empty_is_replaced(tmp_path: Path) -> None:
    log.LogWriter(tmp_path, STORED_SCHEMA.append(pa.field("serial", pa.string()))).close()
    with log.LogWriter(tmp_path, STORED_SCHEMA) as writer:
        writer.append(to_batch([heartbeat_row(1, 1)]))
    [only] = segments(tmp_path)
    assert schema_of(only) == STORED_SCHEMA
    assert [batch["kind"].to_pylist() for batch in log.read(tmp_path, 0, 1)] == [["heartbeat"]]


def test_its_dead_letters_still_wait(folder: Path) -> None:
    [waiting] = dead_letters.pending(folder)
    assert waiting.letter.payload == b"junk"


def test_a_snapshot_of_the_cleaning_goes_on_with_new_rows(folder: Path) -> None:
    with log.LogWriter(folder, STORED_SCHEMA) as writer:
        writer.append(to_batch([control_row(T0 + 60_000, "{}")]))
    setup = CleaningSetup(find_scenario("ward"), folder, BEFORE / "snapshots", 500)
    rebuilt = CleaningSetup(find_scenario("ward"), folder, folder / "no-snapshots", 500)
    kept, again = stream_at(setup, 6), stream_at(rebuilt, 6)
    assert kept.snapshot().held.num_rows == 1
    assert kept.snapshot().held == again.snapshot().held
    assert kept.snapshot().cleaner == again.snapshot().cleaner
