"""A store's server is a leaf of the hub: whatever happens, the hub has it all, in order and once."""

from __future__ import annotations

import json
import signal
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from app import log
from app.cli import main
from app.hub import hub_streams
from app.hub.nodes import nodes
from app.log import LogAddress, LogError, LogRetention, StreamAddress
from app.log.errors import LogDeniedError
from app.log.jetstream.client import Client
from app.log.jetstream.connection import Connection
from app.log.jetstream.frame import FrameId, encoded, headers
from app.log.jetstream.sourcing import Upstream
from app.log.jetstream.stream_writer import StreamWriter
from tests.app.brokers import until
from tests.app.hub.chain import Chain, chain
from tests.sase.spark import hosts

SCHEMA = pa.schema([("value", pa.int64()), ("text", pa.string())])
NOTHING_KEPT = LogRetention(max_age_ms=0)
LATER = 1 << 60
PATIENCE_S = 150


def batch(*values: int, text: str = "") -> pa.RecordBatch:
    columns = {"value": list(values), "text": [text] * len(values)}
    return pa.RecordBatch.from_pydict(columns, schema=SCHEMA)


def values(where: LogAddress) -> list[int]:
    batches = log.read(where, log.earliest(where), log.end(where))
    return [value for part in batches for value in part["value"].to_pylist()]


def append(where: StreamAddress, numbers: range, text: str = "") -> None:
    with closing(StreamWriter(where)) as writer:
        for number in numbers:
            writer.append(batch(number, text=text))


def told(chain: Chain, name: str) -> str:
    return (chain.folder / f"{name}.log").read_text()


# What would be worth something to who has taken over a store's machine.
FORBIDDEN = (
    "vigil.south.frames",
    "vigil.south.notes.log.committed.spark",
    "deliver.south.x",
    "$JS.HUB.API.STREAM.DELETE.south",
    "$JS.HUB.API.STREAM.PURGE.south",
    "$JS.API.STREAM.DELETE.south",
    "$JS.south.API.STREAM.DELETE.south",
)


def message(subject: str, body: bytes, named: dict[str, str]) -> bytes:
    head = "NATS/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in named.items()) + "\r\n"
    return f"HPUB {subject} {len(head)} {len(head) + len(body)}\r\n{head}".encode() + body + b"\r\n"


def publish(where: StreamAddress, subject: str) -> None:
    with closing(Client(where)) as client:
        client.once(lambda link: link.request(subject, b"x"))


def greeting(port: int, authority: Path | None = None) -> dict[str, Any]:
    """What a server says at the port; beyond that it hears nobody who shows no certificate."""
    with socket.create_connection(("127.0.0.1", port), 5) as plain:
        said = plain.recv(65_536)
        if authority:
            context = ssl.create_default_context(cafile=str(authority))
            with context.wrap_socket(plain, server_hostname="127.0.0.1") as secure:
                secure.sendall(b"PING\r\n")
                if not secure.recv(1):
                    raise ConnectionError("closed")
    found: dict[str, Any] = json.loads(said.removeprefix(b"INFO "))
    return found


def with_streams(made: Chain, *sites: str) -> None:
    """A store that has written something, and a hub that has streams for these sites."""
    made.start("store-north")
    made.await_answers(made.at_store("north"))
    append(made.at_store("north"), range(20))
    made.await_answers(made.at_hub("north"))
    for site in sites:
        hub_streams.follow(made.settings("head"), site)
    until(lambda: log.end(made.at_hub("north")) == 20, PATIENCE_S)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chain]:
    """A hub of a single node."""
    with chain(tmp_path_factory.mktemp("chain") / "c", ["north", "south", "east"]) as made:
        with_streams(made, "north", "south")
        yield made


@pytest.mark.soak  # of three nodes that start together some take minutes, or another start, to answer
@pytest.mark.timeout(900)
def test_what_a_store_writes_while_the_hub_is_dead_comes_later_in_order_and_once(tmp_path: Path) -> None:
    """Of a hub of three. Nor is it trimmed before the hub has it."""
    with chain(tmp_path / "c", ["north"], 3) as made:
        with_streams(made, "north")
        store, hub = made.at_store("north"), made.at_hub("north")
        assert log.trim(store, NOTHING_KEPT, LATER) == 19  # the last one says where the log goes on
        for name in made.nodes:
            made.kill(name)
        append(store, range(20, 80), "y" * 10_000)
        assert log.trim(store, NOTHING_KEPT, LATER) == 1
        for name in made.nodes:
            made.start(name)
        made.await_answers(hub)
        until(lambda: log.end(hub) == 80, PATIENCE_S)
        assert values(hub) == list(range(80))
        assert list(log.ranges(hub, 0, 80)) == [range(80)]
        until(lambda: log.trim(store, NOTHING_KEPT, LATER) == 59, PATIENCE_S)


def test_head_office_notes_how_far_it_is_and_trims_but_writes_no_frames(one: Chain) -> None:
    hub, before = one.at_hub("north"), values(one.at_hub("north"))
    log.commit(hub, "spark", before[10])
    assert log.committed(hub) == {"spark": before[10]}
    assert "spark" not in log.committed(one.at_store("north"))
    assert log.trim(hub, NOTHING_KEPT, LATER) == 10
    assert values(hub) == before[10:]
    with pytest.raises(LogError, match="not Vigil's"):
        StreamWriter(hub)
    with pytest.raises(LogDeniedError, match="Permissions Violation"):
        publish(hub, "vigil.north.frames")


def test_a_store_can_write_for_no_other_site_not_even_with_a_server_of_its_own_making(one: Chain) -> None:
    """Its own server refuses; and one without that, with the store's way into the hub, is not heard there."""
    append(one.at_store("north"), range(1_000, 1_001))
    with pytest.raises(LogDeniedError, match="Permissions Violation"):
        publish(one.at_store("north"), "vigil.south.frames")
    before = log.end(one.at_hub("south"))
    rogue = one.rogue("store-north", "rogue")
    one.await_answers(rogue)
    who = FrameId("south", 1, 0)
    frame, place = encoded(batch(66)), headers(who, before, 1, 400, 1)
    link = Client(rogue).connected()
    for subject in FORBIDDEN:
        link._send(message(subject, frame, place))
    until(
        lambda: Upstream(replace(rogue, hub="HUB", site="north")).end(), PATIENCE_S
    )  # they have come before this
    assert log.end(one.at_hub("south")) == before
    assert "spark" not in log.committed(one.at_hub("south"))
    link.close()
    one.kill("rogue")


def test_a_stores_password_opens_the_hub_to_a_server_only(one: Chain) -> None:
    known = one.passwords()["links"]["north"]
    stranger = replace(one.at_hub("north"), user="store-north", password=known)
    with pytest.raises(LogDeniedError, match="Authorization Violation"):
        Connection(stranger, stranger.servers[0])


def test_routes_and_links_speak_tls_and_routes_know_each_other(one: Chain) -> None:
    node = nodes(one.hosts)[0]
    assert greeting(node.leaves_port)["tls_required"]
    with pytest.raises(OSError):  # noqa: PT011  # which one is up to openssl
        greeting(node.routes_port, one.folder / "authority.pem")


def test_a_site_is_added_to_the_hub_and_removed_from_it(one: Chain, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in one.variables("head").items():
        monkeypatch.setenv(name, value)
    north = values(one.at_hub("north"))
    named = ["--settings", str(one.folder / "head" / "vigil.toml")]
    one.start("store-east")
    store, hub = one.at_store("east"), one.at_hub("east")
    one.await_answers(store)
    append(store, range(10))
    assert main(["site", *named, "add", "east", "store", "--hub"]) == 0
    assert main(["hub", "streams", *named]) == 0
    until(lambda: log.end(hub) == 10, PATIENCE_S)
    assert main(["site", *named, "remove", "east", "--yes"]) == 0
    assert log.end(hub) == 0
    assert values(one.at_hub("north")) == north
    one.write("north")
    for name in one.nodes:
        one.kill(name, signal.SIGTERM)
        one.start(name)
    until(lambda: "Authorization" in told(one, "store-east"), PATIENCE_S)
    append(store, range(10, 20))
    assert values(store) == list(range(20))


def test_a_link_that_drops_packets_without_a_word_is_given_up_and_taken_up_again(tmp_path: Path) -> None:
    """The node is in a network of its own, whose cable is pulled out and put back."""
    if reason := hosts.missing():
        pytest.skip(reason)
    with hosts.hosts(1) as [machine]:
        made = Chain(tmp_path / "c", ["north"], [machine.address])
        made.write()
        try:
            made.start("node-1", "ip", "netns", "exec", machine.namespace)
            store, hub = made.at_store("north"), made.at_hub("north")
            made.start("store-north")
            made.await_answers(store)
            append(store, range(20))
            made.await_answers(hub)
            hub_streams.follow(made.settings("head"), "north")
            until(lambda: log.end(hub) == 20, PATIENCE_S)
            cable = f"{hosts.BRIDGE}o0"
            subprocess.run(["ip", "link", "set", cable, "nomaster"], check=True)
            append(store, range(20, 40))
            until(lambda: "Stale" in told(made, "store-north"), PATIENCE_S)
            append(store, range(40, 60))
            subprocess.run(["ip", "link", "set", cable, "master", hosts.BRIDGE], check=True)
            until(lambda: log.end(hub) == 60, PATIENCE_S)
            assert values(hub) == list(range(60))
        finally:
            for name in list(made.running):
                made.kill(name)
