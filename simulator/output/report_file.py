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
    """Vigil's own JSON: readings, barcodes, motion and statuses."""
    written = _readings(reports)
    for kind, write in _WRITTEN.items():
        chosen = pc.equal(reports["kind"], kind)
        few = reports.filter(chosen)
        if few.num_rows:
            written = pc.replace_with_mask(written, chosen, write(few))
    return written


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


def _readings(few: pa.RecordBatch) -> pa.Array:
    return _joined(
        *('{"reader": "', few["reader"], '", "antenna": ', few["antenna"], ', "tag": "', few["tag"]),
        *('", "ts": ', few["ts"], ', "rssi": ', few["rssi"], ', "seq": ', few["seq"], "}"),
    )


def _barcodes(few: pa.RecordBatch) -> pa.Array:
    return _joined(
        *('{"reader": "', few["reader"], '", "barcode": "', few["tag"], '", "ts": ', few["ts"]),
        *(', "seq": ', few["seq"], "}"),
    )


def _motions(few: pa.RecordBatch) -> pa.Array:
    return _joined(
        *('{"reader": "', few["reader"], '", "motion": true, "ts": ', few["ts"], ', "seq": ', few["seq"]),
        _rest(few["detail"]),
    )


def _guesses(few: pa.RecordBatch) -> pa.Array:
    return _joined(
        *('{"reader": "', few["reader"], '", "ts": ', few["ts"], ', "seq": ', few["seq"]),
        _rest(few["detail"]),
    )


def _leaks(few: pa.RecordBatch) -> pa.Array:
    return _joined(
        '{"reader": "', few["reader"], '", "leak": true, "ts": ', few["ts"], ', "seq": ', few["seq"], "}"
    )


def _rest(details: pa.Array) -> pa.Array:
    """What a detail says, as the end of the line."""
    inner = pc.utf8_replace_slice(details, 0, 1, ", ")
    return pc.fill_null(inner, "}")


def _statuses(few: pa.RecordBatch) -> pa.Array:
    return _joined('{"reader": "', few["reader"], '", "status": "online", "ts": ', few["ts"], "}")


_WRITTEN = {  # every other row is a reading
    "barcode": _barcodes,
    "motion": _motions,
    "guess": _guesses,
    "leak": _leaks,
    "status": _statuses,
}


def _joined(*parts: str | pa.Array) -> pa.Array:
    columns = [part if isinstance(part, str) else _text(part) for part in parts]
    return pc.binary_join_element_wise(*columns, "")


def _text(column: pa.Array) -> pa.Array:
    return pc.fill_null(pc.cast(column, pa.string()), "null")
