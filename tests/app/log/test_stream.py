"""A log in JetStream: what was acknowledged is there once and in order, whoever is killed or comes back."""

from __future__ import annotations

import logging
import random
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from app import log
from app.log import LogAddress, StreamAddress
from app.log.errors import LogDeniedError, StreamDamagedError
from app.log.jetstream import client as clients
from app.log.jetstream.client import Client
from app.log.jetstream.stream_writer import StreamWriter
from tests.app.brokers import until
from tests.app.certificates import certificate
from tests.app.nats import NatsServer

SCHEMA = pa.schema([("value", pa.int64())])
SOAK = [pytest.mark.soak, pytest.mark.timeout(14_400)]


def batch(*values: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"value": list(values)}, schema=SCHEMA)


def values(where: LogAddress) -> list[int]:
    batches = log.read(where, log.earliest(where), log.end(where))
    return [value for part in batches for value in part["value"].to_pylist()]


@pytest.fixture
def stream(server: NatsServer) -> StreamAddress:
    return server.address(f"s{uuid.uuid4().hex[:12]}")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[NatsServer]:
    """A server of the test's own, to be killed."""
    started = NatsServer(tmp_path)
    started.start()
    yield started
    if started.process:
        started.stop()


def rest(address: StreamAddress, first: int, count: int) -> list[int]:
    """Append numbers one by one; those that were acknowledged."""
    done = []
    with closing(StreamWriter(address)) as writer:
        for value in range(first, first + count):
            writer.append(batch(value))
            done.append(value)
    return done


@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=SOAK)])
def test_what_was_acknowledged_outlives_kills_of_the_server_once_and_in_order(
    own: NatsServer, kills: int
) -> None:
    chance, address, count = random.Random(7), own.address(), 400 * kills
    with ThreadPoolExecutor(1) as worker:
        appending = worker.submit(rest, address, 0, count)
        for _ in range(kills):
            goal = log.end(address) + chance.randrange(20, 200)
            until(lambda goal=goal: log.end(address) >= goal or appending.done(), 60)
            own.kill()
            own.start()
        acknowledged = appending.result(timeout=600)
    assert acknowledged == list(range(count))
    assert values(address) == acknowledged


def test_a_writer_that_was_followed_by_another_adds_nothing_more(stream: StreamAddress) -> None:
    first = StreamWriter(stream)
    first.append(batch(0))
    second = StreamWriter(stream)
    with pytest.raises(log.LogBusyError, match="one log has one writer"):
        first.append(batch(66))
    assert second.append(batch(1)) == 1
    assert values(stream) == [0, 1]
    first.close()
    second.close()


def test_on_one_machine_a_second_writer_is_refused(stream: StreamAddress, tmp_path: Path) -> None:
    here = replace(stream, local=tmp_path)
    with closing(StreamWriter(here)) as writer:
        with pytest.raises(log.LogBusyError):
            StreamWriter(here)
        assert writer.append(batch(0)) == 0


def test_a_frame_whose_acknowledgement_was_lost_is_not_stored_again(
    stream: StreamAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(StreamWriter(stream)) as writer:
        sent = StreamWriter._sent
        attempts = []

        def lose_the_first(self: StreamWriter, data: bytes, place: dict[str, str]) -> int:
            attempts.append(place)
            sequence = sent(self, data, place)
            if len(attempts) == 1:
                raise TimeoutError("lost")
            return sequence

        monkeypatch.setattr(StreamWriter, "_sent", lose_the_first)
        writer.append(batch(0))
        writer.append(batch(1))
    assert len(attempts) == 3
    assert values(stream) == [0, 1]


def test_it_is_not_stored_again_when_the_server_has_forgotten_its_id(
    stream: StreamAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window in which ids are known is over: the sequence that the frame follows tells."""
    with closing(StreamWriter(stream)) as writer:
        sent = StreamWriter._sent
        attempts = []

        def another_id(self: StreamWriter, data: bytes, place: dict[str, str]) -> int:
            attempts.append(place)
            if len(attempts) == 1:
                sent(self, data, place)
                raise TimeoutError("lost")
            return sent(self, data, {name: value for name, value in place.items() if name != "Nats-Msg-Id"})

        monkeypatch.setattr(StreamWriter, "_sent", another_id)
        writer.append(batch(0))
    assert values(stream) == [0]


def test_a_waiting_writer_can_be_told_to_leave_and_the_next_one_goes_on(own: NatsServer) -> None:
    writer = StreamWriter(own.address())
    writer.append(batch(0))
    own.kill()
    with ThreadPoolExecutor(1) as worker:
        waiting = worker.submit(writer.append, batch(1))
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.3)
        writer.give_up()
        with pytest.raises(InterruptedError, match="has not acknowledged"):
            waiting.result(timeout=30)
    writer.close()
    own.start()
    assert rest(own.address(), 1, 2) == [1, 2]
    assert values(own.address()) == [0, 1, 2]


def test_more_than_the_server_takes_at_once_goes_in_parts(stream: StreamAddress) -> None:
    numbers = pa.array(np.arange(1_200_000))
    with closing(StreamWriter(stream)) as writer:
        assert writer.append(pa.RecordBatch.from_arrays([numbers], schema=SCHEMA)) == 0
        assert writer.append(batch(7)) == 1_200_000
    read = pa.concat_arrays([part["value"] for part in log.read(stream, 0, 1_200_000)])
    assert read.equals(numbers)


def test_a_server_that_takes_too_little_is_refused_in_words(tmp_path: Path) -> None:
    small = NatsServer(tmp_path)
    small.most = "1MB"
    small.start()
    try:
        with pytest.raises(log.LogError, match="set max_payload: 8MB"):
            StreamWriter(small.address())
    finally:
        small.stop()


def test_a_server_that_is_away_is_told_in_words(own: NatsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "PATIENCE_S", 0.5)
    own.stop()
    with pytest.raises(log.LogUnreachableError, match="See that its server is up"):
        log.end(own.address("elsewhere"))


def test_a_reader_waits_for_a_server_that_comes_back(own: NatsServer) -> None:
    rest(own.address(), 0, 3)
    own.kill()
    with ThreadPoolExecutor(1) as worker:
        reading = worker.submit(values, own.address())
        with pytest.raises(TimeoutError):
            reading.result(timeout=0.3)
        own.start()
        assert reading.result(timeout=30) == [0, 1, 2]


def test_what_others_write_into_the_stream_is_told_and_not_read(stream: StreamAddress) -> None:
    rest(stream, 0, 3)
    Client(stream).patiently(lambda link: link.request(stream.subject, b"hello"))
    with pytest.raises(StreamDamagedError, match="no frame of Vigil's"):
        log.end(stream)
    with pytest.raises(log.LogDamagedError):
        StreamWriter(stream)


def test_a_message_that_somebody_has_deleted_is_no_gap(stream: StreamAddress) -> None:
    rest(stream, 0, 9)
    Client(stream).api(f"STREAM.MSG.DELETE.{stream.stream}", {"seq": 5})
    with pytest.raises(StreamDamagedError, match="missing"):
        values(stream)


def test_another_streams_subjects_are_not_taken(stream: StreamAddress) -> None:
    foreign = {"name": stream.stream, "subjects": [f"other.{stream.stream}"]}
    Client(stream).api(f"STREAM.CREATE.{stream.stream}", foreign)
    with pytest.raises(log.LogError, match="it is not Vigil's"):
        StreamWriter(stream)


def test_a_stream_that_was_made_anew_is_read_anew(stream: StreamAddress) -> None:
    rest(stream, 0, 5)
    assert values(stream) == [0, 1, 2, 3, 4]
    Client(stream).api(f"STREAM.DELETE.{stream.stream}", {})
    rest(stream, 50, 2)
    assert values(stream) == [50, 51]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[NatsServer, Path]]:
    """TLS, and two users: one of a site, one who may nothing."""
    folder = tmp_path_factory.mktemp("guarded")
    certificate(folder, "authority")
    signer = ["-CA", str(folder / "authority.pem"), "-CAkey", str(folder / "authority.key")]
    certificate(folder, "server", *signer)
    users = (
        'authorization { users: [ {user: "s1", password: "hush-hush", permissions: '
        '{publish: {allow: ["vigil.s1.>", "$JS.API.>"]}, subscribe: {allow: ["_INBOX.>"]}}}, '
        '{user: "nobody", password: "hush-hush", permissions: {publish: "none", subscribe: "_INBOX.>"}} ] }'
    )
    tls = f'tls {{ cert_file: "{folder}/server.pem", key_file: "{folder}/server.key" }}'
    started = NatsServer(folder, extra=f"{tls}\n{users}")
    started.start()
    yield started, folder
    started.stop()


def test_tls_and_a_user_with_a_password(guarded: tuple[NatsServer, Path]) -> None:
    server, folder = guarded
    known = server.address("s1", "tls", user="s1", password="hush-hush", ca=str(folder / "authority.pem"))
    assert rest(known, 0, 3) == [0, 1, 2]
    assert values(known) == [0, 1, 2]
    assert "hush" not in f"{known} {known!r}"


@pytest.mark.parametrize(
    ("scheme", "access", "words"),
    [
        ("tls", {"user": "s1", "password": "hush-hush"}, "TLS: CERTIFICATE_VERIFY_FAILED"),
        ("tls", {"user": "s1", "password": "wrong-one", "ca": "authority.pem"}, "Authorization Violation"),
        ("tls", {"ca": "authority.pem"}, "Authorization Violation"),
        ("nats", {"user": "s1", "password": "wrong-one", "ca": "authority.pem"}, "Authorization Violation"),
        ("tls", {"user": "nobody", "password": "hush-hush", "ca": "authority.pem"}, "Permissions Violation"),
    ],
)
def test_who_may_not_is_told_so_at_once_and_no_secret_with_it(
    guarded: tuple[NatsServer, Path], scheme: str, access: dict[str, str], words: str
) -> None:
    server, folder = guarded
    ca = {"ca": str(folder / access["ca"])} if "ca" in access else {}
    with pytest.raises(LogDeniedError, match=words) as told:
        StreamWriter(server.address("s1", scheme, **(access | ca)))
    assert "hush" not in str(told.value)
    assert "wrong-one" not in str(told.value)


def test_nothing_is_sent_to_a_server_without_tls_where_tls_is_asked_for(own: NatsServer) -> None:
    with pytest.raises(LogDeniedError, match="does not offer TLS"):
        StreamWriter(own.address("s1", "tls", user="s1", password="hush-hush"))


def test_warnings_of_a_server_that_is_away_have_no_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = NatsServer(tmp_path, extra='authorization { user: "s1", password: "hush-hush" }')
    server.start()
    writer = StreamWriter(server.address("s1", user="s1", password="hush-hush"))
    server.kill()
    with caplog.at_level(logging.WARNING), ThreadPoolExecutor(1) as worker:
        waiting = worker.submit(writer.append, batch(0))
        until(lambda: len(caplog.records) > 1)
        server.start()
        assert waiting.result(timeout=30) == 0
    assert "Trying again" in caplog.text
    assert "hush" not in caplog.text
    writer.close()
    server.stop()
