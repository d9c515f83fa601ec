"""The catalogs with which a log was cleaned: the log names them, so that reading it again gives the same."""

from __future__ import annotations

import hashlib
import io
import logging
import os
from pathlib import Path

import pyarrow as pa

SUFFIX = ".catalog"
KEPT_CATALOGS = 100
_log = logging.getLogger(__name__)


def name_of(items: pa.Table) -> str:
    """The same for the same rows, in whatever chunks they come."""
    return hashlib.sha256(_bytes(items)).hexdigest()[:12]


def keep(folder: Path, items: pa.Table) -> str:
    """Write a catalog, whole or not at all; its name. Of very many the oldest go."""
    name = name_of(items)
    if _path(folder, name) is None:
        folder.mkdir(parents=True, exist_ok=True)
        number = 1 + max((_number(path) for path in _kept(folder)), default=0)
        draft = folder / f"{name}.{os.getpid()}.draft"
        with draft.open("wb") as file:
            file.write(_bytes(items))
            file.flush()
            os.fsync(file.fileno())
        draft.rename(folder / f"{number:09d}-{name}{SUFFIX}")
        for old in _kept(folder)[:-KEPT_CATALOGS]:
            old.unlink(missing_ok=True)
    return name


def first(folder: Path) -> str | None:
    """The catalog with which a log began."""
    kept = _kept(folder)
    return kept[0].stem.partition("-")[2] if kept else None


def load(folder: Path, name: str, schema: pa.Schema) -> pa.Table | None:
    """A catalog by name, with the columns that are asked for; None, with a word, if it is not there."""
    path = _path(folder, name)
    if path is None:
        _log.warning("%s has no catalog %s: the present one stands for it", folder, name)
        return None
    return fitted(pa.ipc.open_stream(path.read_bytes()).read_all(), schema)


def fitted(items: pa.Table, schema: pa.Schema) -> pa.Table:
    """The columns that are asked for; ArrowInvalid if what stands in one is of another kind."""
    columns = [
        items[field.name].cast(field.type)
        if field.name in items.column_names
        else pa.nulls(len(items), field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def _bytes(items: pa.Table) -> bytes:
    whole, file = items.replace_schema_metadata(None).combine_chunks(), io.BytesIO()
    with pa.ipc.new_stream(file, whole.schema) as writer:
        writer.write_table(whole)
    return file.getvalue()


def _kept(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SUFFIX}"))


def _path(folder: Path, name: str) -> Path | None:
    return next(iter(folder.glob(f"*-{name}{SUFFIX}")), None)


def _number(path: Path) -> int:
    return int(path.stem.partition("-")[0])
