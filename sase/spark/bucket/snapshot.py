"""A matcher's snapshot as bytes that outlive changes of the matcher: Arrow, nothing pickled."""

from __future__ import annotations

import pyarrow as pa

from sase.matcher import Snapshot
from sase.operators.kept import Kept
from sase.spark.blob import decode, encode, written

_COLUMNS = ("_kept_position", "_kept_order", "_kept_spent", "_kept_places")


def to_bytes(snapshot: Snapshot) -> bytes:
    """One blob per batch of kept events, in a table that says whose they are."""
    parts = [(disjunct, _packed(kept)) for disjunct, each in enumerate(snapshot.kept) for kept in each]
    table = pa.table(
        {
            "disjunct": pa.array([disjunct for disjunct, _ in parts], pa.int32()),
            "blob": pa.array([blob for _, blob in parts], pa.binary()),
        }
    ).replace_schema_metadata(
        {
            "position": str(snapshot.position),
            "time": str(snapshot.time),
            "loose": str(int(snapshot.loose)),
            "disjuncts": str(len(snapshot.kept)),
        }
    )
    return written(table)


def from_bytes(blob: bytes) -> Snapshot:
    table = decode(blob)
    said = {name.decode(): int(value) for name, value in table.schema.metadata.items()}
    kept: list[list[Kept]] = [[] for _ in range(said["disjuncts"])]
    for disjunct, part in zip(table["disjunct"].to_pylist(), table["blob"].to_pylist(), strict=True):
        kept[disjunct].append(_unpacked(part))
    return Snapshot(said["position"], said["time"], tuple(map(tuple, kept)), bool(said["loose"]))


def _packed(kept: Kept) -> bytes:
    table = pa.Table.from_batches([kept.source])
    for name, column in zip(_COLUMNS, (kept.positions, kept.orders, kept.spent, kept.places), strict=True):
        table = table.append_column(name, pa.array(column))
    return encode(table)


def _unpacked(blob: bytes) -> Kept:
    table = decode(blob)
    positions, orders, spent, places = (table[name].to_numpy() for name in _COLUMNS)
    source = table.drop_columns(list(_COLUMNS)).combine_chunks().to_batches()[0]
    return Kept(source, positions, orders, spent, places)
