"""Case files through a real stream: one of each kind of state that the operator keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from sase.spark import match
from tests.sase.case import Case
from tests.sase.spark.streams import drained, read, write
from tests.sase.spark.test_cases import FOREVER, STREAMS, expected, lines

FILES = ("kleene", "negation_end", "strategies", "windows_events")
SELECTION = [next(case for case in STREAMS if case.name.startswith(f"{file}:")) for file in FILES]
TYPES = {bool: "boolean", int: "bigint", float: "double", str: "string"}


def schema(rows: list[dict[str, Any]]) -> str:
    found = {name: TYPES[type(value)] for row in rows for name, value in row.items()}
    return ", ".join(f"`{name}` {kind}" for name, kind in found.items())


@pytest.mark.parametrize("case", SELECTION, ids=[case.name for case in SELECTION])
def test_a_real_stream_gives_what_the_case_says(spark: SparkSession, tmp_path: Path, case: Case) -> None:
    rows = [{**event, "key": str(at), "seq": at} for at, event in enumerate(case.events)]
    half = len(rows) // 2
    write(tmp_path / "in", [rows[:half], rows[half:], [{"event": "HEARTBEAT", "ts": FOREVER}]])
    source = read(spark, tmp_path / "in", schema(rows))
    result = match(source, {"q": case.query}, id="key", seq="seq")
    assert lines(drained(result, tmp_path / "checkpoint")) == expected(case)
