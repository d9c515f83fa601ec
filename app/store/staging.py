"""Staging an incident: a command to the simulator, sent through the outbox like everything else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from app.mqtt.topics import SIMULATOR_COMMAND
from app.store.actor import Actor, require_at
from app.store.database import writing
from app.store.outbox import enqueue


def stage(engine: sa.Engine, actor: Actor, command: Mapping[str, Any], *, now_ms: int) -> None:
    """Ask the simulator for an incident now, for example {"incident": "shoplift"}."""
    require_at(engine, actor, "staff", "stage an incident")
    with writing(engine) as connection:
        enqueue(connection, [(SIMULATOR_COMMAND, json.dumps(dict(command) | {"actor": actor.name}))], now_ms)
