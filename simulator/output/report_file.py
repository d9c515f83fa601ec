"""Reports as JSON, a line each: written column by column, because a line at a time would be too slow."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

SUFFIXES = (".jsonl", ".parquet")


def lines(reports: pa.RecordBatch) -> pa.Array:
    """Vigil's own JSON: readings and, where there is no tag, statuses."""
    readings = _joined(
        *('{"reader": "', reports["reader"], '", "antenna": ', reports["antenna"], ', "tag": "'),
        *(reports["tag"], '", "ts": ', reports["ts"], ', "rssi": ', reports["rssi"]),
        *(', "seq": ', reports["seq"], "}"),
    )
    is_status = pc.equal(reports["kind"], "status")
    few = reports.filter(is_status)
    statuses = _joined('{"reader": "', few["reader"], '", "status": "online", "ts": ', few["ts"], "}")
    return pc.replace_with_mask(readings, is_status, statuses)


class ReportFile:
    """JSON lines or Parquet, by the name's ending."""

    def __init__(self, path: Path) -> None:
        if path.suffix not in SUFFIXES:
            raise ValueError(f"{path}: the name of a file of readings ends in {' or '.join(SUFFIXES)}")
        self._parquet: parquet.ParquetWriter | None = None
        self._path, self._is_parquet = path, path.suffix == ".parquet"
        self._lines = None if self._is_parquet else path.open("wb")

    def write(self, reports: pa.RecordBatch) -> None:
        if self._lines is not None and reports.num_rows:
            every = pa.ListArray.from_arrays([0, reports.num_rows], lines(reports))
            self._lines.write(pc.binary_join(every, "\n")[0].as_buffer())
            self._lines.write(b"\n")
        elif self._is_parquet:
            self._parquet = self._parquet or parquet.ParquetWriter(self._path, reports.schema)
            self._parquet.write_batch(reports)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in (self._lines, self._parquet):
            if file is not None:
                file.close()


def _joined(*parts: str | pa.Array) -> pa.Array:
    columns = [part if isinstance(part, str) else _text(part) for part in parts]
    return pc.binary_join_element_wise(*columns, "")


def _text(column: pa.Array) -> pa.Array:
    return pc.fill_null(pc.cast(column, pa.string()), "null")
