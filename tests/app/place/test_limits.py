"""A medicine's limits as the catalog writes them."""

from __future__ import annotations

import pyarrow as pa
import pytest

from app.place.limits import COLUMNS, with_limits
from detectors.document import Entry, Fault, Section

HOUR = 3_600_000


def read(*texts: str | None) -> tuple[list[dict[str, object]], list[str]]:
    faults: list[Fault] = []
    table = pa.table({"limits": pa.array(texts, pa.string())})
    found = with_limits(Section(Entry({}, "ward.yaml", 7, faults), {}), table)
    return found.select(COLUMNS).to_pylist(), [str(fault) for fault in faults]


def test_a_limit_and_its_time_stand_together() -> None:
    [row], faults = read("2000 mg in 4 hours; 0.5 mg in 1 day")
    assert faults == []
    assert [row[name] for name in COLUMNS] == [2000, 4 * HOUR, 0.5, 24 * HOUR, 2000, 4 * HOUR]


def test_what_is_no_medicine_has_no_limit() -> None:
    [row], faults = read(None)
    assert (set(row.values()), faults) == ({None}, [])


@pytest.mark.parametrize(
    "text",
    ["2000", "2000 mg", "2000 in 4 hours", "2000 mg in 4 yonks", "2000 mg in 8 days", "2000 mg in 0 hours"],
)
def test_a_limit_without_its_time_is_a_fault(text: str) -> None:
    _, [fault] = read(text)
    assert f"limits: {text!r} is no limit such as '2000 mg in 4 hours'" in fault


def test_more_limits_than_are_looked_at_are_a_fault() -> None:
    _, [fault] = read("; ".join(["1 mg in 1 hour"] * 4))
    assert "more than 3 limits" in fault
