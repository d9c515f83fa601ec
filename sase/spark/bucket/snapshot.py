"""A matcher's snapshot as bytes that outlive changes of the matcher: Arrow, nothing pickled."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase.constraints.obeying import CaseState
from sase.matcher import Snapshot
from sase.operators.kept import Kept
from sase.operators.watch import KeptCases
from sase.spark.blob import decode, encode, written

_CASES = -1  # instead of a disjunct: cases of constraints
_CASE = ("state", "seen_at", "unbroken", "broke_at")
_SAID = "states"
_VERDICTS = ("_kept_before", "_kept_after", "_kept_left")
_COLUMNS = ("_kept_position", "_kept_order", "_kept_spent", "_kept_places")


def to_bytes(snapshot: Snapshot) -> bytes:
    """One blob per batch of kept events, in a table that says whose they are."""
    parts = [(disjunct, _packed(kept)) for disjunct, each in enumerate(snapshot.kept) for kept in each]
    parts += [(_CASES, _packed_cases(cases)) for cases in snapshot.cases]
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
    cases: list[KeptCases] = []
    for disjunct, part in zip(table["disjunct"].to_pylist(), table["blob"].to_pylist(), strict=True):
        if disjunct == _CASES:
            cases.append(_unpacked_cases(part))
        else:
            kept[disjunct].append(_unpacked(part))
    loose = bool(said["loose"])
    return Snapshot(said["position"], said["time"], tuple(map(tuple, kept)), loose, tuple(cases))


def _packed(kept: Kept) -> bytes:
    table = pa.Table.from_batches([kept.source])
    for name, column in zip(_COLUMNS, (kept.positions, kept.orders, kept.spent, kept.places), strict=True):
        table = table.append_column(name, pa.array(column))
    if kept.verdicts is not None:
        for name, column in zip(_VERDICTS, kept.verdicts.T, strict=True):
            table = table.append_column(name, _coded(column))
        table = table.replace_schema_metadata({_SAID: json.dumps(kept.said)})
    return encode(table)


def _unpacked(blob: bytes) -> Kept:
    table = decode(blob)
    positions, orders, spent, places = (table[name].to_numpy() for name in _COLUMNS)
    said = (table.schema.metadata or {}).get(_SAID.encode())
    ours = _COLUMNS if said is None else _COLUMNS + _VERDICTS
    source = table.drop_columns(list(ours)).replace_schema_metadata(None).combine_chunks().to_batches()[0]
    kept = Kept(source, positions, orders, spent, places)
    if said is None:
        return kept
    verdicts = np.stack([table[name].cast(pa.int64()).to_numpy() for name in _VERDICTS], axis=1)
    states = tuple(tuple(CaseState(*each) for each in states) for states in json.loads(said))
    return replace(kept, verdicts=verdicts, said=states)


def _coded(column: NDArray[np.int64]) -> pa.Array:
    """Numbers of which few differ, in as few bytes as that takes."""
    distinct, at = np.unique(column, return_inverse=True)
    size = np.int8 if len(distinct) < 128 else np.int32
    return pa.DictionaryArray.from_arrays(pa.array(at.reshape(-1).astype(size)), pa.array(distinct))


def _packed_cases(cases: KeptCases) -> bytes:
    """The cases of one group of constraints."""
    columns = {name: _coded(column) for name, column in zip(_CASE, cases.rows.T, strict=True)}
    columns["seen_at"] = pa.array(cases.rows[:, _CASE.index("seen_at")])  # of which nearly all differ
    values = pa.array([json.dumps(each) for each in cases.values], pa.string())
    told = {_SAID: json.dumps(cases.states)}
    return written(pa.table({"values": values, **columns}).replace_schema_metadata(told))


def _unpacked_cases(blob: bytes) -> KeptCases:
    table = decode(blob)
    values = tuple(tuple(json.loads(each)) for each in table["values"].to_pylist())
    states = tuple(CaseState(*each) for each in json.loads(table.schema.metadata[_SAID.encode()]))
    rows = np.stack([table[name].cast(pa.int64()).to_numpy() for name in _CASE], axis=1)
    return KeptCases(values, states, rows)
