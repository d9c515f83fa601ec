"""A data folder of an earlier version goes on: nothing is forgotten, nothing is raised twice.

`COMMIT.tar.xz` is the data folder of a corner shop as `vigil pipeline` of that commit left it: the log, the
store, Spark's checkpoint and a snapshot of cleaning (make_archive.py). One pair of jeans has been stolen, a
second one lies on its shelf, and a pullover has just been put on a shelf that is not its own. The snapshot of
13da707 lies at the very end of its log, after that of 0479c22 rows have come.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import log, settings
from app import store as stores
from app.log.row import STORED_SCHEMA, Row, to_batch
from app.place import scenario
from app.settings import Settings
from app.store import Filter
from tests.app import processes
from tests.app.rows import online, stay, theft, until
from tests.app.site import corner_shop
from tests.app.upgrade.archive import ARCHIVES, THEN, unpacked

MINUTE = 60_000


def tags(path: Path, product: str) -> list[str]:
    return [str(item["tag"]) for item in scenario.load(path).items.to_pylist() if item["product"] == product]


def afterwards(jeans: list[str], pullover: str) -> list[Row]:
    """The second jeans leave, the pullover stays where it is, and a third pair is stolen at the end."""
    rows = [
        *stay("main-exit-gate", jeans[1], THEN + 170_000, 250, 6),
        *stay("shelf-denim", pullover, THEN + 155_000, 10_000, 100),
        online("till-1-pad", THEN + 19 * MINUTE),
        *theft(jeans[2], THEN + 20 * MINUTE),
    ]
    return sorted(rows, key=lambda row: row.ts)


def raised(engine: sa.Engine) -> Counter[tuple[str, str]]:
    return Counter((alert.detector, alert.subject) for alert in stores.all_alerts(engine, Filter()))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("commit", ARCHIVES)
def test_what_was_seen_before_the_upgrade_counts_after_it_and_nothing_is_told_twice(
    tmp_path: Path, commit: str
) -> None:
    path = corner_shop(tmp_path)
    path.write_text(path.read_text() + "detectors: {shoplifting: {}, misplaced: {}}\n")
    chosen = Settings(
        data=unpacked(commit, tmp_path / "data"), broker_url="mqtt://127.0.0.1:1", heartbeat_ms=0
    )
    engine = stores.open_store(chosen.store)
    [before] = stores.all_alerts(engine, Filter())
    writer = log.LogWriter(chosen.log, STORED_SCHEMA)
    writer.append(to_batch(afterwards(tags(path, "JEAN-32"), tags(path, "KNIT-40")[0])))
    writer.close()
    with processes.vigil("pipeline", path, environment=settings.as_environment(chosen)):
        until(lambda: ("shoplifting", "JEAN-32-003") in raised(engine), 500)
    assert raised(engine) == {
        ("shoplifting", "JEAN-32-001"): 1,
        ("shoplifting", "JEAN-32-002"): 1,
        ("shoplifting", "JEAN-32-003"): 1,
        ("misplaced", "KNIT-40-001"): 1,
    }
    assert before in list(stores.all_alerts(engine, Filter()))
    told = [one for one in stores.unsent(engine) if one.topic.startswith("vigil/alerts/")]
    assert len(told) == 4
    engine.dispose()
