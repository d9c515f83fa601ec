"""What the simulator writes is what ingest reads: every kind of report there and back."""

from __future__ import annotations

from pathlib import Path

from app.ingest.payloads import decode
from app.place.scenario import load
from simulator.output.report_file import lines
from simulator.play import Play
from simulator.worlds.world import MINUTE

COLUMNS = ("kind", "reader", "antenna", "tag", "ts", "rssi")


def test_every_line_of_a_library_is_read_as_the_report_that_it_was() -> None:
    play = Play(load(Path("scenarios/library.yaml")), 1, parts=("script",))
    play.step(2 * MINUTE)
    reports = play.step(MINUTE).reports
    decoded = [decode("vigil/readings/any", line.encode(), play.now) for line in lines(reports).to_pylist()]
    rows = [row for one in decoded for row in one.rows]
    assert [one.rejected for one in decoded if one.rejected] == []
    assert {row.kind for row in rows} == {"reading", "barcode", "motion", "status"}
    assert [tuple(getattr(row, name) for name in COLUMNS) for row in rows] == [
        tuple(row[name] for name in COLUMNS) for row in reports.to_pylist()
    ]


def test_every_line_of_a_home_is_read_as_the_report_that_it_was() -> None:
    play = Play(load(Path("scenarios/home.yaml")), 1, parts=("script",))
    reports = play.step(12 * MINUTE).reports
    decoded = [decode("vigil/readings/any", line.encode(), play.now) for line in lines(reports).to_pylist()]
    rows = [row for one in decoded for row in one.rows]
    assert [one.rejected for one in decoded if one.rejected] == []
    assert {row.kind for row in rows} == {"reading", "motion", "guess", "leak", "status"}
    assert [tuple(getattr(row, name) for name in (*COLUMNS, "detail")) for row in rows] == [
        tuple(row[name] for name in (*COLUMNS, "detail")) for row in reports.to_pylist()
    ]
