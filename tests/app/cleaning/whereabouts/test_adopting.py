"""A place that was followed by stays goes on with whereabouts: nothing is missed, nothing told twice."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from app import log
from app.cleaning.cleaner import Cleaner
from app.cleaning.rebuild import stream_at
from app.cleaning.setup import CleaningSetup
from app.log.row import STORED_SCHEMA, Row, to_batch
from app.place import scenario
from tests.app.cleaning.whereabouts.boutique import BOUTIQUE, Heard, boutique, brief, log_rows, steady, told
from tests.app.rows import online, stay
from tests.app.site import corner_shop
from tests.app.upgrade.archive import THEN, unpacked

THEN_S = 660  # seconds that both hats have lain there
LYING = [(second, "hats-1", tag) for second in range(0, THEN_S, 10) for tag in ("AA01", "AA02")]
STILL_LYING = steady("hats-1", "AA02", THEN_S, THEN_S + 400, 10)
OUT = ("EXIT-READING", "gate")


def after_stays(folder: Path, before: list[Heard], after: list[Heard]) -> list[tuple[object, object]]:
    """What whereabouts tell of the first hat, where stays have followed it up to the last row before."""
    path = folder / "stays.yaml"
    path.write_text(BOUTIQUE.replace("  method: whereabouts\n", ""))
    rows = log_rows([*before, *after], THEN_S + 500)
    last = max(row.ts for row in log_rows(before, 0))
    stays, whereabouts = Cleaner(scenario.load(path)), Cleaner(boutique(folder))
    stays.push(to_batch([row for row in rows if row.ts <= last]))
    whereabouts.restore(stays.state())
    events = told(whereabouts.push(to_batch([row for row in rows if row.ts > last])))
    return brief(event for event in events if event["id"] == "HAT-1")


@pytest.mark.parametrize("pause", [3, 20, 60, 300])
def test_what_leaves_before_it_is_read_again_is_seen_to_leave(tmp_path: Path, pause: int) -> None:
    gate = steady("gate-1", "AA01", THEN_S + pause, THEN_S + pause + 3, 0.25)
    found = after_stays(tmp_path, LYING, [*STILL_LYING, *gate])
    assert found.count(OUT) == 1
    assert found[0] == ("SHELF-LEFT", "hats")


def test_an_exit_that_stays_have_told_is_not_told_again(tmp_path: Path) -> None:
    going = steady("gate-1", "AA01", THEN_S + 5, THEN_S + 7, 0.25)
    gone = steady("gate-1", "AA01", THEN_S + 7, THEN_S + 9, 0.25)
    assert OUT not in after_stays(tmp_path, [*LYING, *going], [*STILL_LYING, *gone])


def test_what_lies_there_still_is_told_nothing_new_of(tmp_path: Path) -> None:
    again = steady("hats-1", "AA01", THEN_S, THEN_S + 400, 10)
    assert after_stays(tmp_path, LYING, [*STILL_LYING, *again]) == []


def test_a_read_through_the_gate_is_no_exit(tmp_path: Path) -> None:
    through = steady("gate-1", "AA01", THEN_S + 6, THEN_S + 6.5, 0.25)
    again = [*through, *steady("hats-1", "AA01", THEN_S + 10, THEN_S + 400, 10)]
    assert OUT not in after_stays(tmp_path, LYING, [*STILL_LYING, *again])


def test_of_a_snapshot_of_13da707_at_the_end_of_its_log_a_theft_is_told(tmp_path: Path) -> None:
    path, data = corner_shop(tmp_path), unpacked("13da707", tmp_path / "data")
    items = scenario.load(path).items.to_pylist()
    [jeans] = [one["tag"] for one in items if one["id"] == "JEAN-32-002"]
    end = log.end(data / "log")
    stream = stream_at(CleaningSetup(path, data / "log", data / "checkpoint" / "cleaning", 500), end)
    going = stay("main-exit-gate", jeans, THEN + 170_000, 250, 6)
    found = stream.push(_written(tmp_path / "new", [*going, online("till-1-pad", THEN + 240_000)]))
    events = [row["event"] for row in found.to_pylist() if row["id"] == "JEAN-32-002"]
    assert (data / "checkpoint" / "cleaning" / f"{end}.snapshot").exists()
    assert events[:2] == ["SHELF-LEFT", "EXIT-READING"]


def _written(folder: Path, rows: list[Row]) -> pa.RecordBatch:
    with log.LogWriter(folder, STORED_SCHEMA) as writer:
        writer.append(to_batch(rows))
    [batch] = log.read(folder, 0, len(rows))
    return batch
