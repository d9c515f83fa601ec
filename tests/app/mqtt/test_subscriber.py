"""From real brokers to the log: sessions, credentials, versions of MQTT, full disks, slow disks."""

from __future__ import annotations

import resource
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from app import cli
from app.ingest.intake import Ingest, IngestSettings
from app.mqtt import publish
from app.mqtt.broker import NEWEST_FIRST, Broker
from app.mqtt.embedded import embedded
from app.mqtt.link import GROUP_MESSAGES
from app.mqtt.message import Message
from app.mqtt.publish import Publication
from app.mqtt.subscriber import Handler, Session, Subscriber
from tests.app.brokers import Mosquitto, until
from tests.app.certificates import certificate
from tests.app.processes import numbers, statuses, stop, vigil

TOPICS = ["vigil/readings/+", "vigil/status/+", "vigil/control"]
MINUTE = 60.0


def publications(start: int, count: int) -> list[Publication]:
    now = time.time_ns() // 1_000_000
    values = [
        {"reader": "r1", "tag": f"{seq:024X}", "ts": now, "seq": seq} for seq in range(start, start + count)
    ]
    return [Publication("vigil/readings/r1", value, now) for value in values]


@contextmanager
def receiving(connection: Broker, folder: Path) -> Iterator[Ingest]:
    """The parts of `vigil ingest` in a thread."""
    ingest = Ingest(IngestSettings(folder))
    handler = Handler(ingest.take, ingest.tick, ingest.listen, lambda: ingest.note("session-lost"))
    halt = Event()
    subscriber = Subscriber(connection, Session("vigil-test"), TOPICS, handler)
    thread = Thread(target=subscriber.run, args=(halt,))
    thread.start()
    try:
        yield ingest
    finally:
        halt.set()
        thread.join(MINUTE)
        ingest.close()


@contextmanager
def receiving_command(
    url: str, folder: Path, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    with vigil("ingest", "--broker", url, "--log", folder, environment=environment) as child:
        assert child.stderr is not None
        assert any("Connected" in line for line in child.stderr)
        yield child


def test_what_is_published_while_ingest_is_away_arrives_when_it_is_back(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    folder = tmp_path / "log"
    with receiving_command(mosquitto.url, folder) as child:
        publish.send(mosquitto.connection, publications(0, 300))
        until(lambda: len(numbers(folder)) == 300)
        assert stop(child) == 0
    publish.send(mosquitto.connection, publications(300, 200))
    with receiving_command(mosquitto.url, folder):
        until(lambda: len(numbers(folder)) == 500)
    assert sorted(numbers(folder)) == list(range(500))


def test_a_broker_that_comes_back_is_found_again_and_nothing_is_lost(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    with receiving(mosquitto.connection, tmp_path / "log"):
        until(lambda: mosquitto.knows("vigil-test"))
        publish.send(mosquitto.connection, publications(0, 50))
        mosquitto.stop()
        mosquitto.start()
        publish.send(mosquitto.connection, publications(50, 50))
        until(lambda: len(numbers(tmp_path / "log")) == 100)
    assert statuses(tmp_path / "log").count("session-lost") == 0


def test_a_broker_that_has_forgotten_the_session_is_reported_on_the_stream(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    folder = tmp_path / "log"
    with receiving(mosquitto.connection, folder):
        until(lambda: mosquitto.knows("vigil-test"))
        publish.send(mosquitto.connection, publications(0, 1))
        until(lambda: numbers(folder) == [0])
        mosquitto.kill()
        (mosquitto.folder / "mosquitto.db").unlink(missing_ok=True)
        mosquitto.start()
        until(lambda: "session-lost" in statuses(folder))


def test_the_embedded_broker_is_spoken_to_in_its_older_language(tmp_path: Path) -> None:
    with embedded() as made:
        connection = Broker(made.url, made.user, made.password, protocols=NEWEST_FIRST)
        with receiving(connection, tmp_path):
            batch = publications(0, 100)
            until(lambda: _delivered(made, batch, tmp_path), 4 * MINUTE)
    assert sorted(numbers(tmp_path)) == list(range(100))


def _delivered(made: Broker, batch: list[Publication], folder: Path) -> bool:
    """Who publishes before the session is there speaks to nobody: say it again until all has arrived."""
    publish.send(made, batch)
    return len(numbers(folder)) >= len(batch)


def test_the_embedded_broker_listens_on_loopback_only_and_refuses_strangers() -> None:
    with embedded() as made:
        assert made.host == "127.0.0.1"
        with pytest.raises(publish.PublishError, match="refuses"):
            publish.send(Broker(made.url, made.user, "wrong"), publications(0, 1))


def test_commands_of_another_process_reach_the_log(mosquitto: Mosquitto, tmp_path: Path) -> None:
    with receiving(mosquitto.connection, tmp_path / "log") as ingest:
        until(lambda: mosquitto.knows("vigil-test"))
        command = {"command": "switch", "detector": "shoplifting", "on": False}
        publish.send(mosquitto.connection, [Publication("vigil/control", command, None)])
        until(lambda: ingest.counts.rows == 1)


def test_user_and_password(mosquitto: Mosquitto, tmp_path: Path) -> None:
    program = shutil.which("mosquitto_passwd")
    assert program
    subprocess.run(
        [program, "-b", "-c", str(tmp_path / "users"), "site", "secret"], check=True, capture_output=True
    )
    mosquitto.stop()
    mosquitto.extra = f"allow_anonymous false\npassword_file {tmp_path / 'users'}"
    mosquitto.start()
    environment = {"VIGIL_BROKER_USER": "site", "VIGIL_BROKER_PASSWORD": "secret"}
    with receiving_command(mosquitto.url, tmp_path / "log", environment=environment):
        publish.send(Broker(mosquitto.url, "site", "secret"), publications(0, 10))
        until(lambda: len(numbers(tmp_path / "log")) == 10)


def test_tls_with_a_client_certificate(mosquitto: Mosquitto, tmp_path: Path) -> None:
    certificate(tmp_path, "authority")
    signer = ["-CA", str(tmp_path / "authority.pem"), "-CAkey", str(tmp_path / "authority.key")]
    for name in ("server", "device"):
        certificate(tmp_path, name, *signer)
    mosquitto.stop()
    mosquitto.extra = (
        f"allow_anonymous false\ncafile {tmp_path}/authority.pem\nkeyfile {tmp_path}/server.key\n"
        f"certfile {tmp_path}/server.pem\nrequire_certificate true\nuse_identity_as_username true"
    )
    mosquitto.start()
    connection = Broker(
        f"mqtts://127.0.0.1:{mosquitto.port}",
        ca=str(tmp_path / "authority.pem"),
        certificate=str(tmp_path / "device.pem"),
        key=str(tmp_path / "device.key"),
    )
    with receiving(connection, tmp_path / "log"):
        until(lambda: mosquitto.knows("vigil-test"))
        publish.send(connection, publications(0, 2000))
        until(lambda: len(numbers(tmp_path / "log")) == 2000)


def test_a_full_disk_delays_and_loses_nothing(mosquitto: Mosquitto, tmp_path: Path) -> None:
    folder = tmp_path / "log"
    with receiving_command(mosquitto.url, folder) as child:
        resource.prlimit(child.pid, resource.RLIMIT_FSIZE, (64 << 10, resource.RLIM_INFINITY))
        publish.send(mosquitto.connection, publications(0, 2000))
        assert child.stderr is not None
        assert any("File too large" in line for line in child.stderr)
        assert len(numbers(folder)) < 2000
        resource.prlimit(child.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        until(lambda: len(numbers(folder)) == 2000)
    assert sorted(numbers(folder)) == list(range(2000))


def test_a_slow_disk_slows_acknowledgement_and_not_memory(mosquitto: Mosquitto) -> None:
    groups: list[int] = []
    ready, halt = Event(), Event()

    def take(messages: Sequence[Message]) -> None:
        ready.wait(MINUTE)
        groups.append(len(messages))

    subscriber = Subscriber(mosquitto.connection, Session("vigil-slow"), TOPICS, Handler(take))
    thread = Thread(target=subscriber.run, args=(halt,))
    thread.start()
    until(lambda: mosquitto.knows("vigil-slow"))
    publish.send(mosquitto.connection, publications(0, 5000))
    ready.set()
    until(lambda: sum(groups) >= 5000)
    halt.set()
    thread.join(MINUTE)
    assert sum(groups) == 5000
    assert GROUP_MESSAGES // 2 < max(groups) <= GROUP_MESSAGES


def test_the_dry_run_shows_what_is_on_the_wire_and_keeps_nothing(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    environment = {"VIGIL_DATA": str(tmp_path / "data")}
    with vigil("ingest", "--broker", mosquitto.url, "--dry-run", environment=environment) as child:
        assert child.stderr is not None
        assert child.stdout is not None
        assert any("Connected" in line for line in child.stderr)
        publish.send(
            mosquitto.connection, [*publications(7, 1), Publication("vigil/readings/r2", "junk", None)]
        )
        lines = [child.stdout.readline() for _ in range(4)]
        assert stop(child) == 0
    assert "reading r1 antenna 1 tag 000000000000000000000007" in lines[1]
    assert "dead letter: not JSON" in lines[3]
    assert not (tmp_path / "data").exists()


def test_dead_letters_are_listed_and_replayed_by_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "log"
    ingest = Ingest(IngestSettings(folder))
    ingest.take([Message("vigil/readings/r1", b"junk")])
    ingest.close()
    assert cli.main(["ingest", "--log", str(folder), "--dead-letters"]) == 0
    listing = capsys.readouterr()
    assert "vigil/readings/r1\tnot JSON" in listing.out
    assert "1 x not JSON" in listing.err
    assert cli.main(["ingest", "--log", str(folder), "--replay"]) == 0
    assert capsys.readouterr().out == "1 dead letters tried: 0 rows recovered, 1 left\n"
