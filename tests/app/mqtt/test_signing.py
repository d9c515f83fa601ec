"""Commands over MQTT: signed ones count, others are put aside."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from app import log
from app.ingest import dead_letters
from app.ingest.intake import UNSIGNED, Ingest, IngestSettings
from app.ingest.payloads import Route
from app.mqtt.message import Message
from app.mqtt.signing import kept_key, opened, signed

SWITCH = json.dumps({"scenario": "shop", "detector": "shoplifting", "enabled": False, "parameters": {}})


def taken(folder: Path, payload: str) -> tuple[int, list[str]]:
    routes = (Route("vigil/control", "control"),)
    ingest = Ingest(IngestSettings(folder / "log", routes, control_key=kept_key(folder)))
    ingest.take([Message("vigil/control", payload.encode())])
    ingest.replay()
    ingest.close()
    rows = [
        row for batch in log.read(folder / "log", 0, log.end(folder / "log")) for row in batch.to_pylist()
    ]
    told = [row["detail"] for row in rows if row["kind"] == "control"]
    assert all(json.loads(one) == json.loads(SWITCH) for one in told)
    return len(told), [one.letter.reason for one in dead_letters.pending(folder / "log")]


def test_a_signed_command_counts(tmp_path: Path) -> None:
    assert taken(tmp_path, signed(SWITCH, kept_key(tmp_path))) == (1, [])


def test_an_unsigned_command_is_put_aside_and_no_replay_brings_it_back(tmp_path: Path) -> None:
    assert taken(tmp_path, SWITCH) == (0, [UNSIGNED])


def test_a_command_of_another_key_or_changed_on_its_way_is_put_aside(tmp_path: Path) -> None:
    assert opened(signed(SWITCH, b"another").encode(), kept_key(tmp_path)) is None
    changed = signed(SWITCH, kept_key(tmp_path)).replace("shoplifting", "misplaced")
    assert opened(changed.encode(), kept_key(tmp_path)) is None
    assert opened(b"[1]", kept_key(tmp_path)) is None


def test_the_key_stays_and_is_its_owners_alone(tmp_path: Path) -> None:
    assert kept_key(tmp_path) == kept_key(tmp_path)
    assert stat.S_IMODE((tmp_path / "control.key").stat().st_mode) == 0o600
