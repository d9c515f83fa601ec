"""The servers that make a hub, and what a chain's servers have to agree on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address

from app.log_address import PORT

DOMAIN = "HUB"  # no site can be called that: a site's own server has its name as domain
CLUSTER = "vigil"
HEAD, INGEST = "head", "ingest"  # who may ask the hub for everything, and who writes at a store
MOST_NODES = 5
# Beside the port for clients, as nats-server has them unless it is told otherwise.
_ROUTES, _LEAVES = 2_000, 3_200
_NODE = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(?P<port>\d{1,5}))?")


def user_of(site: str) -> str:
    """As who a store's server comes to the hub; nobody else is called that."""
    return f"store-{site}"


class NodeError(ValueError):
    """There cannot be such a node; says what was expected."""


@dataclass(frozen=True, slots=True)
class Node:
    """A server of the hub by the name under which the others and the stores reach it."""

    number: int
    host: str
    port: int = PORT

    @property
    def name(self) -> str:
        return f"node-{self.number}"

    @property
    def routes_port(self) -> int:
        return self.port + _ROUTES

    @property
    def leaves_port(self) -> int:
        return self.port + _LEAVES

    def at(self, port: int) -> str:
        return f"[{self.host}]:{port}" if ":" in self.host else f"{self.host}:{port}"

    @property
    def also_called(self) -> str:
        """As a certificate says it."""
        try:
            return f"IP:{ip_address(self.host)}"
        except ValueError:
            return f"DNS:{self.host}"


def nodes(texts: list[str]) -> list[Node]:
    """HOST or HOST:PORT of each, an odd number of them so that a majority is always clear."""
    if len(texts) % 2 == 0 or len(texts) > MOST_NODES:
        raise NodeError(f"a hub has 1, 3 or {MOST_NODES} nodes, not {len(texts)}")
    found = [_node(number, text) for number, text in enumerate(texts, 1)]
    if len({(node.host, node.port) for node in found}) < len(found):
        raise NodeError("each node of a hub has an address of its own")
    return found


def _node(number: int, text: str) -> Node:
    found = _NODE.fullmatch(text)
    port = int(found["port"] or PORT) if found else 0
    if found is None or not 0 < port <= 65_535 - _LEAVES:
        raise NodeError(f"a node is HOST or HOST:PORT with a port up to {65_535 - _LEAVES}, not {text!r}")
    return Node(number, found["host"].strip("[]"), port)
