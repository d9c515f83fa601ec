"""The catalog of a place: which tag is which item, product, wristband or bottle, from CSV files or inline."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from app.place.limits import COLUMNS, LIMITS, with_limits
from detectors.document import Entry, Section

# Read as text whatever they look like: a tag of digits only is still a name.
_TEXT = (
    *("tag", "id", "product", "patient", "medicine", "home", "name", "category", "kind", "times", "class"),
    *("barcode", "loaned_to", "due", LIMITS),
)
_PEOPLE = ("patient", "nurse", "patron", "person")
_TAG = re.compile(r"[0-9A-F]{4,}")
RESERVED = ("event", "ts", "area", "reader", "dwell", "below", "antenna", "seq", "prob", *COLUMNS)


def parse(section: Section, folder: Path) -> pa.Table:
    """One row per tag, with the details of its product or medicine joined on."""
    section.only("items", "details")
    table = _items(section.need("items"), folder)
    for key, entry in section.section("details").items():
        table = _joined(table, key, entry, folder)
    _check(section.need("items"), table)
    return with_limits(section, table)


def known_codes(items: pa.Table) -> pa.Array:
    """Everything by which a sensor may name an item: its tag and, where there is one, its barcode."""
    columns = [items[name] for name in ("tag", "barcode") if name in items.column_names]
    return pa.concat_arrays([chunk for column in columns for chunk in column.chunks])


def is_person(items: pa.Table) -> pa.ChunkedArray:
    """For each row whether its tag is on a person, by its kind; people have no home among the areas."""
    kinds = items["kind"] if "kind" in items.column_names else pa.chunked_array([pa.nulls(len(items))])
    return pc.is_in(kinds.cast(pa.string()), pa.array(_PEOPLE))


def _items(entry: Entry, folder: Path) -> pa.Table:
    if isinstance(entry.data, list):
        parts = [_inline(part) if isinstance(part.data, dict) else _file(part, folder) for part in entry.data]
        return pa.concat_tables([_empty(), *parts], promote_options="permissive")
    return _file(entry, folder)


def _inline(entry: Entry) -> pa.Table:
    values = {key: [value.data] for key, value in entry.section().items()}
    columns = {key: pa.array(cell, pa.string() if key in _TEXT else None) for key, cell in values.items()}
    return pa.table(columns)


def _file(entry: Entry, folder: Path) -> pa.Table:
    types = dict.fromkeys(_TEXT, pa.string())
    options = csv.ConvertOptions(column_types=types, strings_can_be_null=True)
    try:
        return csv.read_csv(folder / entry.text(), convert_options=options)
    except (OSError, pa.ArrowInvalid) as error:
        entry.fault(f"cannot be read: {error}")
        return _empty()


def _joined(table: pa.Table, key: str, entry: Entry, folder: Path) -> pa.Table:
    details = _file(entry, folder)
    if key not in table.column_names or key not in details.column_names:
        entry.fault(f"both the items and {entry.data} need a column {key!r}")
        return table
    known = details.column(key).combine_chunks()
    rows = pc.index_in(table.column(key), value_set=known).combine_chunks()
    named = pc.is_valid(table.column(key)).combine_chunks()
    for name in pc.unique(table.column(key).filter(pc.and_(pc.is_null(rows), named))).to_pylist():
        entry.fault(f"{key} {name!r} of an item is not in {entry.data}")
    for name in details.column_names:
        if name in table.column_names and name != key:
            entry.fault(f"column {name!r} of {entry.data} is already a column of the items")
        elif name != key:
            table = table.append_column(name, details.column(name).take(rows))
    return table


def _check(entry: Entry, table: pa.Table) -> None:
    for name in ("tag", "id"):
        if name not in table.column_names:
            entry.fault(f"the catalog has no column {name!r}")
    for name in {"tag", "id", "barcode"} & set(table.column_names):
        for value, count in _repeated(table.column(name).drop_null()):
            entry.fault(f"{name} {value!r} stands in the catalog {count} times")
    for name in set(table.column_names) & set(RESERVED):
        entry.fault(f"column {name!r}: that name belongs to the event itself; rename it")
    for tag in table.column("tag").to_pylist() if "tag" in table.column_names else []:
        if not tag or not _TAG.fullmatch(tag):
            entry.fault(f"tag {tag!r}: upper-case hexadecimal digits expected")


def _repeated(column: pa.ChunkedArray) -> list[tuple[str, int]]:
    counts = pc.value_counts(column).to_pylist()
    return [(entry["values"], entry["counts"]) for entry in counts if entry["counts"] > 1]


def _empty() -> pa.Table:
    return pa.table({"tag": pa.array([], pa.string()), "id": pa.array([], pa.string())})
