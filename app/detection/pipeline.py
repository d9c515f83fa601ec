"""What a running pipeline is made of, and the queries that it begins with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from app import store
from app.cleaning.setup import CleaningSetup
from app.detection.queries import rules
from app.place.event_types import CLOCK
from app.place.scenario import Scenario
from sase.spark import Rule

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


def first_queries(pipeline: Pipeline) -> dict[str, Rule]:
    """The queries that a checkpoint begins with; later changes come through the log and stay in its state."""
    kept = pipeline.checkpoint / "queries.json"
    if not kept.exists():
        standing = store.switches(pipeline.engine, pipeline.scenario.name)
        enabled = {name: switch.parameters for name, switch in standing.items() if switch.enabled}
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(enabled))
    return rules(pipeline.scenario, json.loads(kept.read_text())) or IDLE
