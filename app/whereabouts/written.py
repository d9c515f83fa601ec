"""Where everything is, as the pipeline last wrote it: a file that the pages map into memory.

The pages of a place with 100,000 tags can neither follow its log themselves nor ask the database for all."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from app.cleaning.placed import Placed

FILE = "whereabouts.arrow"
_COLUMNS = ("area", "since", "seen", "reader")
_FIGURES = ("now_ms", "began_ms")
_NAMES = ("catalog", "scenario", "learned")


@dataclass(frozen=True)
class WrittenWhereabouts:
    """`catalog` names the one whose rows these are; empty for that of the scenario's file. `learned` names
    the version of what was learned that counts, and `found` says in words what is known by now."""

    placed: Placed
    now_ms: int
    began_ms: int
    catalog: str
    scenario: str
    learned: str = ""
    found: tuple[str, ...] = ()


def write(path: Path, known: WrittenWhereabouts) -> None:
    """Whole or not at all; who has mapped the one before goes on reading that. Nothing is synced: after a
    crash the next one comes within seconds."""
    placed = known.placed
    chances = pa.FixedSizeListArray.from_arrays(
        pa.array(np.ascontiguousarray(placed.chances).ravel(), pa.float32()), placed.chances.shape[1]
    )
    arrays = [pa.array(getattr(placed, name), pa.int64()) for name in _COLUMNS]
    told = {name: str(getattr(known, name)) for name in (*_FIGURES, *_NAMES)}
    told["found"] = json.dumps(known.found)
    fields = [*(pa.field(name, pa.int64()) for name in _COLUMNS), pa.field("chances", chances.type)]
    table = pa.table([*arrays, chances], pa.schema(fields, told))
    draft = path.with_name(f"{path.name}.{os.getpid()}.draft")
    with pa.OSFile(str(draft), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    draft.rename(path)


def read(path: Path) -> WrittenWhereabouts | None:
    """None where there is none, or none that can be read."""
    try:
        table = pa.ipc.open_file(pa.memory_map(str(path))).read_all().combine_chunks()
        told = {name.decode(): value.decode() for name, value in (table.schema.metadata or {}).items()}
        now_ms, began_ms = (int(told[name]) for name in _FIGURES)
        columns = [table[name].combine_chunks().to_numpy() for name in _COLUMNS]
        kept = table["chances"].combine_chunks()
        catalog, scenario, learned = (told[name] for name in _NAMES)
        found = tuple(json.loads(told["found"]))
        chances = kept.flatten().to_numpy().reshape(len(kept), kept.type.list_size)
    except (OSError, pa.ArrowInvalid, KeyError, ValueError):
        return None
    return WrittenWhereabouts(Placed(chances, *columns), now_ms, began_ms, catalog, scenario, learned, found)
