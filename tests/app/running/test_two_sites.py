"""Two sites with the same tags, one broker and one store: the alerts of each are those of a site alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app import log
from app import store as stores
from app.mqtt.publish import Publication
from app.place import scenario
from app.settings import Settings
from app.store import Actor, Filter, Site
from tests.app.rows import theft
from tests.app.running.test_end_to_end import as_messages
from tests.app.site import corner_shop, running

ADMIN = Actor("ada", "admin")
PAST = 1_700_000_000_000
HOUR = 3_600_000
NAMES = ("north", "south")
THEFTS = Filter(detectors=("shoplifting",))

pytestmark = pytest.mark.timeout(1800)


def of_site(name: str, folder: Path, broker: str, store_url: str) -> Settings:
    return Settings(site=name, data=folder / name, broker_url=broker, store_url=store_url, heartbeat_ms=0)


def thefts(engine: sa.Engine) -> dict[str, str]:
    """What was stolen, by the alert's id."""
    return {alert.id: alert.subject for alert in stores.all_alerts(engine, THEFTS)}


def lying(publication: Publication, site: str) -> Publication:
    """A message that says it were of another site."""
    assert isinstance(publication.payload, dict)
    return replace(publication, payload=publication.payload | {"site": site})


def test_each_site_raises_its_own_and_one_that_is_removed_is_watched_no_more(
    tmp_path: Path, mosquitto: Any, request: pytest.FixtureRequest
) -> None:
    """On PostgreSQL where it is installed, as a chain has it."""
    store_url = request.getfixturevalue("postgres").new_database()
    shop = corner_shop(tmp_path)
    items = scenario.load(shop).items
    (first, second, third), ids = items["tag"].to_pylist()[:3], items["id"].to_pylist()
    hub = stores.open_store(store_url)
    for name in NAMES:
        stores.add_site(hub, ADMIN, Site(name, name.title(), str(shop), "Europe/Berlin"))
    north, south = (of_site(name, tmp_path, mosquitto.url, store_url) for name in NAMES)
    at_north = replace(mosquitto.connection, site="north")
    at_south = replace(mosquitto.connection, site="south")
    with running(shop, at_north, north) as one, running(shop, at_south, south) as other:
        for site in (one, other):
            site.wait(lambda site=site: site.supervisor.states["pipeline"] == "up")  # type: ignore[misc]
        # The same thing is stolen at both at the same time; another one at each.
        one.send(as_messages([*theft(first, PAST), *theft(second, PAST + HOUR)]))
        lies = as_messages([*theft(first, PAST), *theft(third, PAST + HOUR)])
        other.send(lying(message, "north") for message in lies)
        one.wait(lambda: len(thefts(one.engine)) == 2)
        other.wait(lambda: len(thefts(other.engine)) == 2)
        assert sorted(thefts(one.engine).values()) == [ids[0], ids[1]]
        assert sorted(thefts(other.engine).values()) == [ids[0], ids[2]]
        # The same theft at the same time has the same id, and is an alert of each.
        assert len(thefts(one.engine).keys() & thefts(other.engine).keys()) == 1
        assert thefts(hub) == {}
        stores.switch(other.engine, ADMIN, "corner", "shoplifting", enabled=False, now_ms=PAST)
        other.wait(lambda: _applied(other.engine) is not None)
        assert stores.switches(one.engine, "corner")["shoplifting"].enabled
        assert _applied(one.engine) is None

        stores.remove_site(hub, ADMIN, "south")
        one.wait(lambda: other.supervisor.states["pipeline"] == "down")
        assert "the site south has been removed" in other.words()
        assert thefts(other.engine) == {}
        one.send(as_messages(theft(third, PAST + 2 * HOUR)))
        one.wait(lambda: ids[2] in thefts(one.engine).values())
    assert log.end(north.log) > 0
    hub.dispose()


def _applied(engine: sa.Engine) -> int | None:
    return stores.switch_history(engine, "corner", "shoplifting")[0].applied_ms
