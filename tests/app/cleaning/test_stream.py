"""From the log to events: what comes out, and that a cleaned stream can be kept, lost and rebuilt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from app import log
from app.cleaning import snapshots
from app.cleaning.controls import query_change
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import CleanedStream
from app.log.row import ROW_SCHEMA, Row, clock_row, control_row, heartbeat_row, status_row, to_batch
from app.place.scenario import Scenario
from app.spark import cleaned_log
from app.spark.cleaned_log import CleanedLog
from app.spark.cleaned_source import CleanedReader
from app.spark.offsets import Offset
from tests.app.rows import NOON, Write, online, read, theft, visit


def batch(rows: list[Row], first: int = 0) -> pa.RecordBatch:
    stored = to_batch(rows)
    positions = pa.array(range(first, first + len(rows)), pa.int64())
    return pa.RecordBatch.from_arrays([positions, *stored.columns], schema=ROW_SCHEMA)


def events(out: pa.RecordBatch) -> list[tuple[str, str | None]]:
    pairs = zip(out["event"].to_pylist(), out["area"].to_pylist(), strict=True)
    return [pair for pair in pairs if pair[0] not in ("HEARTBEAT", "READER-ALIVE")]


def ask(cleaned: CleanedLog, start: int, stop: int) -> pa.RecordBatch:
    """What Spark gets for a micro-batch of rows."""
    [out] = cleaned.between(at(start), at(stop))
    return out


def at(position: int) -> Offset:
    return {"position": position}


def before(position: int, beat: int) -> Offset:
    """An offset of an earlier version."""
    return {"position": position, "beat": beat}


def test_a_walk_past_the_till_becomes_arrivals_and_departures(shop: Scenario, tag: str) -> None:
    stream = CleanedStream(shop, 500)
    out = stream.push(batch(theft(tag, NOON)))
    assert events(out) == [
        ("SHELF-READING", "denim"),
        ("SHELF-FILLED", "denim"),  # the first of its product
        ("SHELF-LEFT", "denim"),
        ("SHELF-LOW", "denim"),
        ("EXIT-READING", "main-exit"),
    ]
    assert out["event"].to_pylist()[-1] == "HEARTBEAT"
    assert out["ts"].to_pylist()[-1] == NOON + 62_000 - 500


def test_an_event_keeps_its_name_in_every_replay(shop: Scenario, tag: str) -> None:
    first = CleanedStream(shop, 500).push(batch(theft(tag, NOON)))
    again = CleanedStream(shop, 500).push(batch(theft(tag, NOON)))
    assert first.equals(again)
    assert len(set(first["event_id"].to_pylist())) == first.num_rows


@pytest.mark.parametrize(("alive", "said"), [("heartbeat", True), ("none", False)])
def test_a_reader_without_a_sign_of_life_is_not_said_to_live(shop: Scenario, alive: str, said: bool) -> None:
    """So it cannot fall silent: a till without customers is not a dead till."""
    readers = tuple(replace(one, alive=alive) for one in shop.plan.readers)
    place = replace(shop, plan=replace(shop.plan, readers=readers))
    out = CleanedStream(place, 500).push(
        batch([online("till-1-pad", NOON), online("till-1-pad", NOON + 60_000)])
    )
    assert ("READER-ALIVE" in out["event"].to_pylist()) is said


def test_a_late_reading_comes_out_as_late(shop: Scenario, tag: str) -> None:
    stream = CleanedStream(shop, 500)
    out = stream.push(batch([*theft(tag, NOON), read("shelf-denim", tag, NOON)]))
    late = [row for row in out.to_pylist() if row["event"] == "LATE-READING"]
    assert [(row["ts"], row["tag"], row["reader"]) for row in late] == [(NOON, tag, "shelf-denim")]


def test_what_ingest_says_by_its_own_clock_moves_no_time(shop: Scenario, tag: str) -> None:
    stream = CleanedStream(shop, 500)
    own = status_row("shelf-denim", NOON + 9_000_000, NOON, '{"status": "silent"}')
    out = stream.push(batch([read("shelf-denim", tag, NOON), own]))
    assert out["ts"].to_pylist()[-1] == NOON - 500


def test_time_that_passes_on_a_quiet_log_tells_what_has_left(shop: Scenario, tag: str) -> None:
    stream = CleanedStream(shop, 500)
    stream.push(batch(visit(tag, NOON)))
    assert events(stream.advance(NOON + 4_600)) == [("EXIT-LEFT", "main-exit")]


def test_a_switch_in_the_log_becomes_a_change_of_the_queries(shop: Scenario, tag: str) -> None:
    asked = {
        "scenario": "store",
        "detector": "misplaced",
        "enabled": True,
        "parameters": {"patience": 60_000},
    }
    stream = CleanedStream(shop, 500)
    out = stream.push(batch([read("shelf-denim", tag, NOON), control_row(NOON, json.dumps(asked))]))
    [change] = [json.loads(text) for text in out["control"].to_pylist() if text]
    assert (change["query"], change["parameters"]) == ("misplaced", {"patience": 60_000, "sure": 0.5})


def test_a_switch_off_names_the_query_only() -> None:
    asked = {"scenario": "store", "detector": "misplaced", "enabled": False, "parameters": {}}
    assert json.loads(query_change("store", json.dumps(asked)) or "") == {"query": "misplaced"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "nonsense",
        '{"command": "dead-letters-replayed"}',
        '{"scenario": "ward", "detector": "overdose", "enabled": false, "parameters": {}}',
        '{"scenario": "store", "detector": "nobody", "enabled": true, "parameters": {}}',
        '{"scenario": "store", "detector": "misplaced", "enabled": true, "parameters": {"patience": -1}}',
    ],
)
def test_a_control_row_that_means_nothing_here_changes_nothing(text: str) -> None:
    assert query_change("store", text) is None


def test_a_process_that_lost_everything_goes_on_as_if_it_had_not(
    cleaning: CleaningSetup, write: Write, tag: str
) -> None:
    write(theft(tag, NOON))
    cleaned = CleanedLog(cleaning)
    expected = [ask(cleaned, 0, 5), ask(cleaned, 5, 11)]
    assert ask(CleanedLog(cleaning), 5, 11).equals(expected[1])


def test_a_batch_that_is_asked_for_again_gets_the_same_answer(
    cleaning: CleaningSetup, write: Write, tag: str
) -> None:
    write(theft(tag, NOON))
    cleaned = CleanedLog(cleaning)
    assert ask(cleaned, 0, 11).equals(ask(cleaned, 0, 11))


def test_a_batch_that_failed_half_way_is_done_anew(
    cleaning: CleaningSetup, write: Write, tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(theft(tag, NOON))
    cleaned = CleanedLog(cleaning)
    ask(cleaned, 0, 5)
    with monkeypatch.context() as broken:
        broken.setattr(cleaned_log, "SNAPSHOT_ROWS", 1)
        broken.setattr(snapshots, "save", full_disk)
        with pytest.raises(OSError, match="full"):
            ask(cleaned, 5, 11)
    assert ask(cleaned, 5, 11).equals(ask(CleanedLog(cleaning), 5, 11))


def full_disk(*_: object) -> None:
    raise OSError("the disk is full")


def test_a_snapshot_saves_reading_the_log_from_its_beginning(
    cleaning: CleaningSetup, write: Write, tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cleaned_log, "SNAPSHOT_ROWS", 4)
    write(theft(tag, NOON))
    cleaned = CleanedLog(cleaning)
    ask(cleaned, 0, 7)
    expected = ask(cleaned, 7, 11)
    read_from: list[int] = []
    original = log.read

    def spy(
        folder: Path, start: int, stop: int, near: log.SeekPoint | None = None
    ) -> Iterator[pa.RecordBatch]:
        read_from.extend([start] if start < stop else [])
        return original(folder, start, stop, near)

    monkeypatch.setattr(log, "read", spy)
    assert ask(CleanedLog(cleaning), 7, 11).equals(expected)
    assert read_from == [7]


def test_a_heartbeat_in_the_log_lets_time_pass_once(cleaning: CleaningSetup, write: Write, tag: str) -> None:
    write([*visit(tag, NOON), heartbeat_row(NOON + 4_600, NOON + 9_600)])
    cleaned = CleanedLog(cleaning)
    ask(cleaned, 0, 7)
    write([heartbeat_row(NOON + 6_000, NOON + 11_000)])
    assert events(ask(cleaned, 7, 8)) == [("EXIT-LEFT", "main-exit")]
    assert events(ask(CleanedLog(cleaning), 8, 9)) == []


def test_a_heartbeat_is_never_late(cleaning: CleaningSetup, write: Write, tag: str) -> None:
    write([*visit(tag, NOON), heartbeat_row(NOON - 60_000, NOON + 3_200)])
    assert "LATE-READING" not in ask(CleanedLog(cleaning), 0, 8)["event"].to_pylist()


def test_a_checkpoint_of_an_earlier_version_brings_the_time_that_it_had_reached(
    cleaning: CleaningSetup, write: Write, tag: str
) -> None:
    write(visit(tag, NOON))
    cleaned = CleanedLog(cleaning)
    ask(cleaned, 0, 7)
    [planned] = cleaned.between(before(7, 0), before(7, NOON + 4_600))
    assert events(planned) == [("EXIT-LEFT", "main-exit")]
    write([read("shelf-denim", tag, NOON + 4_000)])
    [after] = CleanedLog(cleaning).between(before(7, NOON + 4_600), at(8))
    assert events(after) == [("LATE-READING", None)]


def test_where_nothing_is_new_nothing_is_told(cleaning: CleaningSetup, write: Write, tag: str) -> None:
    write(visit(tag, NOON))
    assert CleanedLog(cleaning).between(at(3), at(3)) == []


def test_spark_gets_what_the_log_holds_and_how_far_it_is(
    cleaning: CleaningSetup, write: Write, tag: str
) -> None:
    written = theft(tag, NOON)
    write(written)
    reader = CleanedReader(cleaning, {"path": str(cleaning.log)})
    rows, end = reader.read(reader.initialOffset())
    assert end == at(len(written))
    assert [*copy(rows)] == [*rows] == [ask(CleanedLog(cleaning), 0, len(written))]
    assert reader.read(end)[1] == end
    reader.commit(end)
    assert log.committed(cleaning.log) == {"spark": len(written)}


def test_only_the_last_snapshots_are_kept(cleaning: CleaningSetup, shop: Scenario) -> None:
    stream = CleanedStream(shop, 500)
    for position in range(8):
        stream.position = position
        snapshots.save(cleaning.snapshots, stream.snapshot())
    assert len(list(cleaning.snapshots.iterdir())) == snapshots.KEPT
    assert snapshots.latest(cleaning.snapshots, 2) is None
    kept = snapshots.latest(cleaning.snapshots, 5)
    assert kept is not None
    assert kept.position == 5


def test_what_was_held_back_is_not_told_one_by_one(shop: Scenario, tag: str) -> None:
    stream = CleanedStream(shop, 500)
    held = read("shelf-denim", tag, NOON - 120_000)._replace(received=NOON)
    out = stream.push(batch([read("shelf-denim", tag, NOON), held]))
    assert "LATE-READING" not in out["event"].to_pylist()
    assert stream.late["ts"].to_pylist() == [NOON - 120_000]


def test_a_clock_that_becomes_known_is_an_event(shop: Scenario) -> None:
    stream = CleanedStream(shop, 500)
    rows = [clock_row("main-exit-gate", NOON, NOON, -3_600_000, 1), online("till-1-pad", NOON + 9_000)]
    told = [row for row in stream.push(batch(rows)).to_pylist() if row["event"] == "READER-CLOCK"]
    assert [(row["reader"], row["area"], row["offset"], row["ts"]) for row in told] == [
        ("main-exit-gate", "main-exit", -3_600_000, NOON)
    ]


@pytest.mark.parametrize("kept_bytes", [0, 10, 30, -1])
def test_a_damaged_snapshot_is_left_out_and_the_one_before_is_taken(
    cleaning: CleaningSetup, shop: Scenario, kept_bytes: int
) -> None:
    stream = CleanedStream(shop, 500)
    for position in (3, 5):
        stream.position = position
        snapshots.save(cleaning.snapshots, stream.snapshot())
    last = cleaning.snapshots / "5.snapshot"
    last.write_bytes(last.read_bytes()[:kept_bytes])
    kept = snapshots.latest(cleaning.snapshots, 9)
    assert kept is not None
    assert kept.position == 3


def test_a_snapshot_with_one_bit_turned_is_damaged(cleaning: CleaningSetup, shop: Scenario) -> None:
    snapshots.save(cleaning.snapshots, CleanedStream(shop, 500).snapshot())
    [only] = cleaning.snapshots.iterdir()
    raw = bytearray(only.read_bytes())
    raw[len(raw) // 2] ^= 1
    only.write_bytes(raw)
    assert snapshots.latest(cleaning.snapshots, 9) is None
