"""A site whose log is in JetStream raises what a folder's does, also when the server is killed meanwhile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import log
from app.running.backup import BackupError, backup
from app.running.doctor import examine
from app.running.status import log_words
from simulator.worlds.world import MINUTE
from tests.app.nats import NatsServer
from tests.app.site import by_detector, corner_shop, expectation, local, messages, running

PASSWORD = "hush-hush-4711"

pytestmark = pytest.mark.timeout(1800)


def holding(folder: Path, secret: str) -> list[Path]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path for path in files if secret.encode() in path.read_bytes()]


def test_the_alerts_are_those_of_a_folder_and_no_file_has_the_password(
    tmp_path: Path, mosquitto: Any
) -> None:
    server_folder = tmp_path / "server"
    server_folder.mkdir()
    server = NatsServer(server_folder, extra=f'authorization {{ user: "s1", password: "{PASSWORD}" }}')
    server.start()
    shop = corner_shop(tmp_path)
    promised, play = expectation(shop), messages(shop, 50 * MINUTE)
    chosen = replace(
        local(tmp_path, mosquitto.url),
        log_url=f"nats://127.0.0.1:{server.port}/corner",
        log_user="s1",
        log_password=PASSWORD,
    )
    try:
        with running(shop, mosquitto.connection, chosen) as site:
            site.wait(lambda: site.supervisor.states["ingest"] == "up")
            site.send(play[: len(play) // 2])
            site.wait(lambda: log.end(chosen.log) > 100)
            server.kill()
            server.start()
            site.send(play[len(play) // 2 :])
            site.wait(lambda: by_detector(site) == promised)
            assert max(site.alerts().values()) == 1
            site.wait(lambda: log.committed(chosen.log).get("spark", 0) > 100)
        [words] = log_words(chosen)
        assert f"/corner: {log.end(chosen.log):,} rows" in words
        [found] = [finding for finding in examine(chosen) if finding.name == "Log"]
        assert (found.fix, "answers" in found.found) == ("", True)
        with pytest.raises(BackupError, match="vigil log copy"):
            backup(chosen, tmp_path / "backup.tar.gz", 0)
    finally:
        server.stop()
    assert not list(chosen.log_folder.glob("*.segment"))
    assert holding(chosen.data, PASSWORD) == []
