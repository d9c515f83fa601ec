"""What only a demo lays on the map: nothing elsewhere, people as told, and a flash where an alert is new."""

from __future__ import annotations

import json
from dataclasses import replace

from app.mqtt.topics import SIMULATOR_PEOPLE
from dashboard.context import Context
from dashboard.truth.heard import DemoTruth
from dashboard.views.truth_layer import FLASH_MS, truth_traces
from tests.dashboard import seed


def test_where_no_simulator_tells_nothing_is_drawn(empty: Context) -> None:
    assert truth_traces(empty, [seed.shoplifting(0, seed.NOW)]) == []


def test_people_are_drawn_and_the_area_of_a_new_alert_flashes_for_a_while(empty: Context) -> None:
    truth = DemoTruth(lambda: seed.NOW)
    walker = {"who": "shopper-1", "x": 1, "y": 2, "area": ""}
    said = {"now_ms": seed.NOW, "people": [walker], "heard": {"till-1-pad": 1}}
    truth.hear(SIMULATOR_PEOPLE, json.dumps(said).encode())
    context = replace(empty, truth=truth)
    alert = replace(seed.shoplifting(0, seed.NOW), stored_ms=seed.NOW)
    drawn = {trace["uid"]: trace for trace in truth_traces(context, [alert])}
    assert drawn["people"]["ids"] == ["shopper-1"]
    assert len(drawn["pulses"]["x"]) == 1
    assert drawn["flash"]["x"] != []
    old = replace(alert, stored_ms=seed.NOW - FLASH_MS)
    assert {trace["uid"]: trace for trace in truth_traces(context, [old])}["flash"]["x"] == []
