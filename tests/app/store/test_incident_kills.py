"""Whoever raises alerts is killed again and again: no incident is lost, doubled or renamed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import schema
from tests.app.brokers import until
from tests.app.store.raised_again import batches

ROWS = 40  # the most between two kills


def incidents(engine: sa.Engine) -> dict[str, str]:
    """Of every alert its incident."""
    with engine.connect() as connection:
        rows = connection.execute(sa.select(schema.alerts.c.id, schema.alerts.c.incident)).all()
    assert len(rows) == len({row.id for row in rows})
    return {row.id: row.incident for row in rows}


def last_told(engine: sa.Engine) -> dict[str, set[str]]:
    """Of every incident its members, as the last message about it says."""
    found = [one for one in stores.unsent(engine, 10**6) if one.topic.startswith("vigil/incidents/")]
    return {said["id"]: set(said["alerts"]) for one in found if (said := json.loads(one.payload))}


@pytest.mark.parametrize(
    "kills", [5, pytest.param(100, marks=[pytest.mark.soak, pytest.mark.timeout(7_200)])]
)
def test_incidents_outlive_kills_under_the_same_ids(kills: int, tmp_path: Path) -> None:
    chance, number = random.Random(kills), kills * ROWS
    url, done = f"sqlite:///{tmp_path / 'killed.db'}", tmp_path / "done"
    command = [sys.executable, "-m", "tests.app.store.raised_again", url, str(done), str(number)]
    engine = stores.open_store(url)
    seen: dict[str, str] = {}
    for _ in range(kills):
        goal = len(seen) + chance.randrange(1, ROWS)
        with subprocess.Popen(command) as process:
            until(lambda goal=goal: len(incidents(engine)) >= goal, 120)
            process.kill()
        found = incidents(engine)
        assert found.items() >= seen.items()
        seen = found
    subprocess.run(command, check=True)
    plain = stores.open_store(f"sqlite:///{tmp_path / 'plain.db'}")
    for at, alerts in enumerate(batches(number)):
        stores.record_alerts(plain, alerts, now_ms=at)
    found = incidents(engine)
    assert found.items() >= seen.items()
    assert found == incidents(plain)
    assert last_told(engine) == last_told(plain)
    assert set.union(*last_told(engine).values()) == set(found)
