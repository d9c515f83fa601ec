"""Writes the folder of a chain: one folder for each machine, to be copied there and to nowhere else."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.hub import certificates, passwords
from app.hub.node_file import node_file, node_passwords
from app.hub.nodes import HEAD, Node, user_of
from app.hub.passwords import Passwords, write_private
from app.hub.store_files import BEGUN, server_file, server_passwords, settings_file

NODE_FILE, PASSWORDS = "nats.conf", "passwords.conf"
SETTINGS, VARIABLES = "vigil.toml", "vigil.env"
AUTHORITY = f"{certificates.AUTHORITY}.pem"


@dataclass(frozen=True)
class Chain:
    """Of each site the port of its own server, at which only its own machine can knock."""

    nodes: Sequence[Node]
    sites: Mapping[str, int]

    @property
    def url(self) -> str:
        return f"tls://{','.join(node.at(node.port) for node in self.nodes)}"


def write(folder: Path, chain: Chain) -> list[Path]:
    """The folders that were written. Passwords and certificates that were there stay as they are."""
    _private(folder)
    known = passwords.kept(folder, chain.sites)
    certificates.make_authority(folder)
    written = [_node(folder, node, chain, known) for node in chain.nodes]
    written += [_store(folder, site, chain, known) for site in chain.sites]
    return [*written, _head(folder, chain, known)]


def _node(folder: Path, node: Node, chain: Chain, known: Passwords) -> Path:
    own = _machine(folder, node.name)
    certificates.make_server(own, node, folder)
    write_private(own / NODE_FILE, node_file(node, chain.nodes, list(chain.sites)))
    write_private(own / PASSWORDS, node_passwords(known))
    return own


def _store(folder: Path, site: str, chain: Chain, known: Passwords) -> Path:
    own = _machine(folder, user_of(site))
    write_private(own / NODE_FILE, server_file(site, chain.nodes, chain.sites[site]))
    write_private(own / PASSWORDS, server_passwords(site, chain.nodes, known))
    _begin(own / SETTINGS, settings_file(site, chain.sites[site]))
    write_private(own / VARIABLES, f"VIGIL_LOG_PASSWORD={known.ingests[site]}\n")
    return own


def _head(folder: Path, chain: Chain, known: Passwords) -> Path:
    own = _machine(folder, HEAD)
    replicas = min(3, len(chain.nodes))
    _begin(
        own / SETTINGS,
        f"{BEGUN}\n"
        f'log_url = "{chain.url}"\nlog_user = "{HEAD}"\nlog_ca = "{AUTHORITY}"\nlog_replicas = {replicas}\n'
        'store_url = "postgresql://vigil@127.0.0.1/vigil"\n',
    )
    write_private(own / VARIABLES, f"VIGIL_LOG_PASSWORD={known.head}\n")
    return own


def _machine(folder: Path, name: str) -> Path:
    own = folder / name
    _private(own)
    shutil.copyfile(folder / AUTHORITY, own / AUTHORITY)
    return own


def _private(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)


def _begin(path: Path, text: str) -> None:
    if not path.exists():
        write_private(path, text)
