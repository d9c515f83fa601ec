"""What a demo asks for: an incident of the simulator, a dose that is due; through the outbox as all else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from app.mqtt.topics import CONTROL, SIMULATOR_COMMAND
from app.store.actor import Actor, require_at
from app.store.database import writing
from app.store.outbox import enqueue


def stage(engine: sa.Engine, actor: Actor, command: Mapping[str, Any], *, now_ms: int) -> None:
    """Ask the simulator for an incident now, for example {"incident": "shoplift"}."""
    require_at(engine, actor, "staff", "stage an incident")
    with writing(engine) as connection:
        enqueue(connection, [(SIMULATOR_COMMAND, json.dumps(dict(command) | {"actor": actor.name}))], now_ms)


def order_dose(engine: sa.Engine, actor: Actor, scenario: str, bottle: str, *, now_ms: int) -> None:
    """Say that a dose of this bottle is due now; ingest appends it to the log, where it has its place."""
    require_at(engine, actor, "staff", "order a dose")
    asked = {"scenario": scenario, "dose": bottle, "actor": actor.name}
    with writing(engine) as connection:
        enqueue(connection, [(CONTROL, json.dumps(asked))], now_ms)
