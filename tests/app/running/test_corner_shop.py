"""The corner shop of docs/scenarios.md, as somebody would set it up from the pages, with Impinj readers."""

from __future__ import annotations

import base64
import re
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app import store as stores
from app.cli import main
from app.mqtt.publish import Publication
from app.place import scenario
from dashboard.facts import outage
from tests.app.brokers import Mosquitto
from tests.app.site import by_detector, local, running

PAGE = Path("docs/scenarios.md")
TEA, POT = "3034257BF7194E4000001A85", "E2806894000050123456789A"
pytestmark = pytest.mark.timeout(900)


def shop(folder: Path) -> Path:
    [text] = [
        block
        for block in re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
        if "catalog:" in block
    ]
    (folder / "corner").mkdir()
    (folder / "corner" / "items.csv").write_text(f"tag,id,product\n{TEA},TEA-1,TEA\n{POT},POT-1,POT\n")
    (folder / "corner" / "products.csv").write_text("product,name,price\nTEA,Green tea,4.50\nPOT,Teapot,19\n")
    path = folder / "shop.yaml"
    path.write_text(text)
    return path


def inventory(reader: str, tag: str) -> Publication:
    """As an R700 sends it with its defaults: no host name, no EPC in hexadecimal digits."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f000Z")
    epc = base64.urlsafe_b64encode(bytes.fromhex(tag)).decode()
    event = {
        "epc": epc,
        "antennaPort": 1,
        "peakRssiCdbm": -5450,
        "frequency": 866300,
        "transmitPowerCdbm": 3000,
    }
    message: dict[str, Any] = {"timestamp": now, "eventType": "tagInventory", "tagInventoryEvent": event}
    return Publication(f"vigil/readings/{reader}", message, None)


def test_what_the_pages_say_makes_a_shop_that_notices_a_thief(
    tmp_path: Path, mosquitto: Mosquitto, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shop(tmp_path)
    assert main(["check", str(path)]) == 0, capsys.readouterr().err
    plan = scenario.load(path).plan
    assert plan.without_sign() == {"door-1"}
    chosen = replace(local(tmp_path, mosquitto.url), heartbeat_ms=1_000, silence_s=3.0)
    with running(path, mosquitto.connection, chosen) as site:
        site.wait(lambda: site.supervisor.states["pipeline"] == "up")
        for _ in range(6):
            site.send([inventory("shelf-1", TEA), inventory("shelf-1", POT)])
            time.sleep(0.5)
        for _ in range(8):
            site.send([inventory("shelf-1", POT), inventory("door-1", TEA)])
            time.sleep(0.25)
        site.wait(lambda: by_detector(site) == {"shoplifting": 1})
        assert site.alerts() == {("shoplifting", "TEA-1"): 1}
        site.wait(lambda: all(one.silent_since_ms for one in stores.list_readers(site.engine)))
        readers = stores.list_readers(site.engine)
        told = outage.outages([], readers, 0, plan.without_sign())
        assert [one.name for one in told if one.kind == "silent"] == ["shelf-1"]
