"""An alert that has put itself right is closed by a rule, with the reason."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

import detectors
from app import store as stores
from app.cleaning.setup import CleaningSetup
from app.detection.alert import ReportedMatch, alert
from app.place.scenario import Scenario
from app.running import put_right
from app.running.log_follower import LogFollower
from app.store import Alert
from tests.app.rows import NOON, Write, online, stay

MINUTE = 60_000


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(put_right, "PUT_RIGHT_SECONDS", -1.0)


def raised(engine: sa.Engine, shop: Scenario, detector: str, events: dict[str, object]) -> Alert:
    match = ReportedMatch(detector, detector, NOON + 15 * MINUTE, NOON, NOON, 1.0, events)
    made = alert(match, detectors.load()[detector], {}, shop, [])
    stores.record_alerts(engine, [made], NOON)
    return made


def now(engine: sa.Engine, follower: LogFollower, name: str) -> tuple[str, str | None, str | None]:
    follower.catch_up()
    follower.put_right.look(NOON)
    found = stores.find_alert(engine, name)
    assert found is not None
    return found.state, found.resolution, found.reason


def test_an_item_that_leaves_the_wrong_shelf_is_no_longer_misplaced(
    engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, write: Write, tag: str
) -> None:
    item = str(shop.items["id"][0].as_py())
    stray = {"event": "SHELF-READING", "ts": NOON, "id": item, "area": "kids", "home": "denim", "dwell": 0}
    raised(engine, shop, "misplaced", {"x": stray})
    follower = LogFollower(engine, shop, cleaning)
    write([*stay("shelf-kids", tag, NOON, 10_000, 12), online("till-1-pad", NOON + 2 * MINUTE)])
    assert now(engine, follower, "misplaced") == ("new", None, None)
    home = stay("shelf-denim", tag, NOON + 20 * MINUTE, 10_000, 12)
    write([*home, online("till-1-pad", NOON + 40 * MINUTE)])
    assert now(engine, follower, "misplaced") == ("resolved", "put right", "it has left that shelf again")
    last = stores.alert_history(engine, "misplaced")[-1]
    assert (last.actor, last.action) == ("pipeline", "resolved")


def test_a_reader_that_is_heard_again_is_no_longer_silent_and_another_one_still_is(
    engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, write: Write
) -> None:
    alive = {"event": "READER-ALIVE", "ts": NOON, "reader": "till-1-pad", "area": "till-1"}
    raised(engine, shop, "reader_silent", {"x": alive})
    follower = LogFollower(engine, shop, cleaning)
    write([online("till-2-pad", NOON + MINUTE), online("till-2-pad", NOON + 2 * MINUTE)])
    assert now(engine, follower, "reader_silent")[0] == "new"
    write([online("till-1-pad", NOON + 20 * MINUTE), online("till-2-pad", NOON + 21 * MINUTE)])
    assert now(engine, follower, "reader_silent") == ("resolved", "put right", "it is heard again")
