"""Ingest into JetStream: as into a folder, over restarts, with dead letters, replay and what was seen."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator

import pytest

from app import log
from app.detection.pipeline import told_until
from app.ingest import dead_letters
from app.ingest.arrival import last_anchor
from app.ingest.intake import Counts, Ingest, IngestSettings
from app.ingest.payloads import Route
from app.ingest.recording import read
from app.log.by_time import readings_before
from app.mqtt.message import Message
from tests.app.nats import NatsServer

START = 1_786_612_500_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    started = NatsServer(tmp_path_factory.mktemp("nats"))
    started.start()
    yield started
    started.stop()


@pytest.fixture
def stream(server: NatsServer) -> log.StreamAddress:
    return server.address(f"s{uuid.uuid4().hex[:12]}")


def message(seq: int, tag: str = "AABB") -> Message:
    said = {"tag": tag, "ts": START + seq, "seq": seq, "antenna": 1, "rssi": -50.0}
    return Message("vigil/readings/r1", json.dumps(said).encode())


def test_a_repetition_is_known_after_a_restart(stream: log.StreamAddress) -> None:
    for expected in (Counts(3, 3), Counts(3, 0, 0, 3)):
        ingest = Ingest(IngestSettings(stream))
        ingest.take([message(seq) for seq in range(3)])
        ingest.close()
        assert ingest.counts == expected
    assert log.end(stream) == 3


def test_its_clock_goes_on_where_the_last_one_stood(stream: log.StreamAddress) -> None:
    ingest = Ingest(IngestSettings(stream, heartbeat_ms=1))
    ingest.take([message(0)])
    ingest.listen()
    ingest.close()
    anchor = last_anchor(stream)
    assert anchor is not None
    assert anchor.boot


def test_dead_letters_are_kept_and_replayed_once(stream: log.StreamAddress) -> None:
    ingest = Ingest(IngestSettings(stream, (Route("other/#", "vigil"),)))
    ingest.take([message(0), message(1)])
    ingest.close()
    assert len(list(dead_letters.pending(stream))) == 2
    for expected in (Counts(2, 2), Counts()):
        again = Ingest(IngestSettings(stream))
        assert again.replay() == expected
        again.close()
    assert list(dead_letters.pending(stream)) == []


def test_what_reads_a_log_reads_it(stream: log.StreamAddress) -> None:
    ingest = Ingest(IngestSettings(stream))
    ingest.take([message(seq) for seq in range(5)])
    ingest.close()
    assert [one.ts for one in read(stream)] == [START + seq for seq in range(5)]
    [batch] = log.read(stream, 0, 5)
    at_ms = int(batch["received"][0].as_py())
    assert len(readings_before(stream, "AABB", "r1", at_ms)) == 0  # they were read long before they came


def test_without_its_checkpoint_a_pipeline_knows_what_it_has_told(
    stream: log.StreamAddress, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ingest = Ingest(IngestSettings(stream))
    ingest.take([message(seq) for seq in range(5)])
    ingest.close()
    log.commit(stream, "spark", 5)
    assert told_until(tmp_path_factory.mktemp("checkpoint"), stream, lateness_ms=500) == START + 4 - 500
