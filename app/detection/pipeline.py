"""What a running pipeline is made of, and the queries that it begins with."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc
import sqlalchemy as sa

from app import log, store
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import rows_in_order
from app.detection.queries import rules
from app.log import LogAddress
from app.log.segment import sync_folder
from app.place.event_types import CLOCK
from app.place.scenario import Scenario
from sase.spark import Rule

_TAIL_ROWS = 10_000
# Where every detector is off the stream still runs, so that one can be switched on; what this finds is told
# to nobody, because it is no detector's.
IDLE = {"idle": Rule(f"EVENT {CLOCK} x")}


@dataclass(frozen=True)
class Pipeline:
    """A scenario, where its log, snapshots and checkpoint are, and the store its alerts go to."""

    scenario: Scenario
    cleaning: CleaningSetup
    checkpoint: Path
    engine: sa.Engine
    trigger_ms: int
    buckets: int = 1
    spark_checkpoint: str = ""  # where Spark keeps its part of the checkpoint; "": there too
    told_until_ms: int = 0  # what was detected up to then has been told, whatever is found again


def first_queries(pipeline: Pipeline) -> dict[str, Rule]:
    """The queries that a checkpoint begins with; later changes come through the log and stay in its state."""
    kept = pipeline.checkpoint / "queries.json"
    if not kept.exists():
        standing = store.switches(pipeline.engine, pipeline.scenario.name)
        enabled = {name: switch.parameters for name, switch in standing.items() if switch.enabled}
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_synced(kept, json.dumps(enabled))
    return rules(pipeline.scenario, json.loads(kept.read_text())) or IDLE


def told_until(checkpoint: Path, where: LogAddress, lateness_ms: int) -> int:
    """Without its checkpoint the pipeline reads the log from its beginning: up to which time everything that
    follows from it has been told before, under whatever id."""
    kept = checkpoint / "told-until"
    if not kept.exists():
        done = 0 if (checkpoint / "offsets").is_dir() else log.committed(where).get("spark", 0)
        checkpoint.mkdir(parents=True, exist_ok=True)
        write_synced(kept, str(_time_at(where, done, lateness_ms)))
    return int(kept.read_text())


def _time_at(where: LogAddress, position: int, lateness_ms: int) -> int:
    """How far time had come for those who had read up to the position."""
    start = max(log.earliest(where), position - _TAIL_ROWS)
    if start >= min(position, log.end(where)):
        return 0
    batches = log.read(where, start, min(position, log.end(where)))
    times = [pc.max(rows_in_order(batch)["ts"]).as_py() for batch in batches]
    return max((time for time in times if time is not None), default=lateness_ms) - lateness_ms


def write_synced(path: Path, text: str) -> None:
    """Whole or not at all, through a power cut too."""
    draft = path.with_suffix(".draft")
    with draft.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
    sync_folder(path.parent)
