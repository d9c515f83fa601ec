"""An understocked shelf, from readings to the alert and to its end."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from app import store as stores
from app.cleaning.stream import CleanedStream
from app.detection.in_process import InProcess
from app.place.scenario import load
from app.running import put_right
from app.running.put_right import PutRight
from tests.app.cleaning.test_shelf_stock import ROWS, shop
from tests.app.cleaning.whereabouts.test_function_of_the_log import numbered

SWITCHED_ON = "detectors: {understocked: {count: 2, patience: 2 minutes}}\n"
BROUGHT_BACK_MS = ROWS[0].ts + 9 * 60_000


@pytest.mark.parametrize("method", ["whereabouts", "stays"])
def test_a_shelf_runs_out_is_told_once_and_closes_itself_when_restocked(
    tmp_path: Path, engine: sa.Engine, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(put_right, "PUT_RIGHT_SECONDS", -1.0)
    path = tmp_path / f"{shop(tmp_path, method).name}.yaml"
    path.write_text(path.read_text() + SWITCHED_ON)
    stream, detection = CleanedStream(load(path), 500), InProcess(load(path))
    closing = PutRight(engine, lambda: 0.0)
    rows, early = numbered(ROWS), sum(row.ts < BROUGHT_BACK_MS for row in ROWS)
    states = []
    for part in (rows.slice(0, early), rows.slice(early)):
        events = stream.push(part)
        stores.record_alerts(engine, detection.push(events), 0)
        closing.take(events)
        closing.look(0)
        [alert] = stores.all_alerts(engine, stores.Filter())
        states.append((alert.state, alert.resolution, alert.reason))
    assert states == [("new", None, None), ("resolved", "put right", "it has been restocked")]
    assert (alert.detector, alert.subject, alert.area) == ("understocked", "HAT", "hats")
    assert alert.explanation.startswith("Fewer than 2 items of Hat (HAT) have been in Hats since ")
    assert (alert.probability or 1.0) >= 0.95
