"""Hosts of their own on one machine: network namespaces on a bridge, each with its address. Needs root."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.sase.spark.cluster import Host

BRIDGE = f"vigil{os.getpid() % 10_000}"
_NETWORK = "10.213.77"
DRIVER = f"{_NETWORK}.1"


def missing() -> str | None:
    """Why there can be no such hosts here."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    return None if shutil.which("ip") else "the command ip is not installed"


@contextmanager
def hosts(count: int) -> Iterator[list[Host]]:
    """So many hosts, which reach each other and this machine, at `DRIVER`, over the bridge only."""
    made = [Host(f"{_NETWORK}.{number + 2}", f"{BRIDGE}-{number}") for number in range(count)]
    try:
        _ip("link", "add", BRIDGE, "type", "bridge")
        _ip("address", "add", f"{DRIVER}/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        for number, host in enumerate(made):
            _plug_in(host, number)
        yield made
    finally:
        for host in made:
            subprocess.run(["ip", "netns", "delete", host.namespace], check=False, capture_output=True)
        subprocess.run(["ip", "link", "delete", BRIDGE], check=False, capture_output=True)


def _plug_in(host: Host, number: int) -> None:
    outside, inside = f"{BRIDGE}o{number}", f"{BRIDGE}i{number}"
    _ip("netns", "add", host.namespace)
    _ip("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", host.namespace)
    _ip("link", "set", outside, "master", BRIDGE, "up")
    within = ("-n", host.namespace)
    _ip(*within, "address", "add", f"{host.address}/24", "dev", inside)
    _ip(*within, "link", "set", inside, "up")
    _ip(*within, "link", "set", "lo", "up")


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
