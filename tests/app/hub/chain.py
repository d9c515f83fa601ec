"""A hub and stores that are its leaves: real nats-servers from the files that `vigil hub config` writes."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from app import settings
from app.cli import main
from app.hub.nodes import Node, user_of
from app.log import StreamAddress
from app.log.jetstream.client import Client
from tests.app.brokers import free_port, until


@dataclass
class Chain:
    """`folder` is what the command has written; each server runs in its own folder of it."""

    folder: Path
    sites: list[str]
    hosts: list[str]
    ports: dict[str, int] = field(default_factory=lambda: defaultdict(free_port))
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def nodes(self) -> list[str]:
        return [f"node-{number}" for number, _ in enumerate(self.hosts, 1)]

    def write(self, *stores: str) -> None:
        words = [word for host in self.hosts for word in ("--node", host)]
        words += [word for site in stores or self.sites for word in ("--site", f"{site}:{self.ports[site]}")]
        assert main(["hub", "config", str(self.folder), *words]) == 0

    def start(self, name: str, *within: str) -> None:
        """`within` are words that put it into a network namespace. One after the other: of servers that dial
        each other at the same moment, some were seen to pass on no question until they were started again."""
        assert name not in self.running
        command = [*within, sys.executable, "-m", "app.cli", "hub", "serve", str(self.folder / name)]
        said = self.folder / f"{name}.log"
        with said.open("ab") as log:
            before = log.tell()
            self.running[name] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until(lambda: b"Server is ready" in said.read_bytes()[before:], 60)

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        child = self.running.pop(name)
        child.send_signal(number)
        child.wait()

    def at_store(self, site: str) -> StreamAddress:
        """As ingest has it."""
        return self._address(user_of(site))

    def at_hub(self, site: str) -> StreamAddress:
        """As head office has it."""
        return replace(self._address("head"), site=site)

    def rogue(self, of: str, name: str) -> StreamAddress:
        """A server without any bounds of its own that has come by the way of another into the hub."""
        shutil.copytree(self.folder / of, self.folder / name, ignore=shutil.ignore_patterns("messages"))
        file, port = self.folder / name / "nats.conf", free_port()
        text = re.sub(r", permissions: .*", " }", file.read_text())
        text = re.sub(r'listen: ".*"', f'listen: "127.0.0.1:{port}"', text)
        file.write_text(re.sub(r'domain: "\w*"', f'domain: "{name}"', text))
        self.start(name)
        return replace(self._address(of), servers=(("127.0.0.1", port),))

    def passwords(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = json.loads((self.folder / "passwords.json").read_text())
        return found

    def settings(self, name: str) -> settings.Settings:
        return settings.load(self.folder / name / "vigil.toml", self.variables(name))

    def variables(self, name: str) -> dict[str, str]:
        """What the processes have in their environment, in whatever folder they are."""
        own = self.folder / name
        variables = dict([(own / "vigil.env").read_text().strip().split("=", 1)])
        if name == "head":
            variables |= {"VIGIL_LOG_CA": str(own / "authority.pem"), "VIGIL_DATA": str(self.folder / "data")}
        return variables | {"VIGIL_STORE_URL": f"sqlite:///{self.folder}/store.db"}

    def await_answers(self, where: StreamAddress) -> None:
        until(lambda: answers(where), 150)

    def _address(self, name: str) -> StreamAddress:
        found = self.settings(name).log
        assert isinstance(found, StreamAddress)
        return replace(found, local=None)


def answers(where: StreamAddress) -> bool:
    """Whether JetStream works there: a cluster has chosen its leaders."""
    client = Client(where)
    try:
        client.once(lambda link: client.answered(link, f"{where.api}.INFO", {}))
    except OSError:
        return False
    finally:
        client.close()
    return True


@contextmanager
def chain(folder: Path, sites: list[str], nodes: int = 1) -> Iterator[Chain]:
    """All on this machine."""
    made = Chain(folder, sites, [f"127.0.0.1:{base_port()}" for _ in range(nodes)])
    made.write()
    try:
        for name in made.nodes:
            made.start(name)
        yield made
    finally:
        for name in list(made.running):
            made.kill(name)


def base_port() -> int:
    """One from which a node counts two more that are free too."""
    found = (Node(1, "127.0.0.1", free_port() % 20_000 + 20_000) for _ in range(100))
    return next(node.port for node in found if _is_free(node.port, node.routes_port, node.leaves_port))


def _is_free(*ports: int) -> bool:
    try:
        for port in ports:
            socket.create_server(("0.0.0.0", port)).close()
    except OSError:
        return False
    return True
