"""A small broker for the demo: loopback only, in a child process, one user with a random password."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from app.mqtt.broker import Broker

HOST = "127.0.0.1"
USER = "vigil"
START_S = 120.0


@contextmanager
def embedded(port: int = 0) -> Iterator[Broker]:
    """Run the broker for as long as the block; port 0 takes a free one."""
    port = port or _free_port()
    password = secrets.token_urlsafe(16)
    child = subprocess.Popen([sys.executable, "-m", "app.mqtt.embedded", str(port)], stdin=subprocess.PIPE)
    assert child.stdin is not None
    try:
        child.stdin.write(f"{password}\n".encode())
        child.stdin.flush()
        _await(child, port)
        # Only MQTT 3.1.1 is spoken here: no need to try 5 first.
        yield Broker(f"mqtt://{HOST}:{port}", USER, password, protocols=(4,))
    finally:
        child.stdin.close()  # its end is the child's sign to leave, also if we are killed
        child.wait()


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as server:
        return int(server.getsockname()[1])


def _await(child: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + START_S
    while child.poll() is None and time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.05)
    raise ConnectionError(f"the embedded broker did not come up on port {port}")


async def serve(port: int, password: str) -> None:
    """Serve until standard input ends."""
    from amqtt.broker import Broker

    with tempfile.TemporaryDirectory() as folder:
        users = Path(folder, "users")
        users.touch(mode=0o600)
        # amqtt keeps messages for an absent client only if the client has signed in.
        users.write_text(f"{USER}:{PasswordHash((Argon2Hasher(),)).hash(password)}\n")
        plugins = {"amqtt.plugins.authentication.FileAuthPlugin": {"password_file": str(users)}}
        broker = Broker(
            {"listeners": {"default": {"type": "tcp", "bind": f"{HOST}:{port}"}}, "plugins": plugins}
        )
        await broker.start()
        await asyncio.to_thread(os.read, 0, 1)
        await broker.shutdown()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), sys.stdin.readline().strip()))
