"""The parts of a running Vigil: which programs, in which order, and how each shows that it is up."""

from __future__ import annotations

import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable
from urllib.parse import urlsplit

import sqlalchemy as sa

from app import store
from app.mqtt import embedded
from app.mqtt.broker import Broker
from app.running.supervisor import Part, vigil
from app.settings import Settings

PROBE_SECONDS = 0.5


def embedded_broker(settings: Settings) -> Part:
    """Vigil's own broker reads its password from standard input, so that no process list shows it."""
    broker, host = Broker.from_settings(settings), urlsplit(settings.broker_url).hostname or embedded.HOST
    folder = str(settings.data / "broker")
    program = ("-m", "app.mqtt.embedded", host, str(broker.port), folder, broker.user)
    greeting = f"{broker.password}\n".encode()
    return Part("broker", program, listens(broker.host, broker.port), greeting=greeting)


def ingest(after: tuple[str, ...] = ()) -> Part:
    return Part("ingest", vigil("ingest"), _at_once, after, says=b"Connected to")


def pipeline(scenario: str, engine: sa.Engine) -> Part:
    return Part("pipeline", vigil("pipeline", scenario), is_up(engine, "pipeline"))


def dashboard(scenario: str, settings: Settings, *options: str) -> Part:
    scheme = "https" if settings.dashboard_certificate else "http"
    url = f"{scheme}://{reachable(settings.dashboard_host)}:{settings.dashboard_port}/healthz"
    return Part("dashboard", vigil("dashboard", scenario, *options), answers(url))


def simulator(scenario: str, after: tuple[str, ...], *options: str) -> Part:
    return Part("simulator", vigil("simulate", scenario, *options), _at_once, after, says=b"playing")


def listens(host: str, port: int) -> Callable[[], bool]:
    def probe() -> bool:
        with socket.socket() as connection:
            connection.settimeout(PROBE_SECONDS)
            return connection.connect_ex((host, port)) == 0

    return probe


def _at_once() -> bool:
    """It says itself when it is up."""
    return True


def answers(url: str) -> Callable[[], bool]:
    # Our own process on this machine: its certificate names the host that browsers call, not this address.
    unverified = ssl._create_unverified_context() if url.startswith("https:") else None

    def probe() -> bool:
        try:
            with urllib.request.urlopen(url, timeout=PROBE_SECONDS, context=unverified) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    return probe


def is_up(engine: sa.Engine, name: str) -> Callable[[], bool]:
    """The part itself says so in the store."""

    def probe() -> bool:
        try:
            return any(part.name == name and part.state == "up" for part in store.list_parts(engine))
        except sa.exc.SQLAlchemyError:
            return False

    return probe


def reachable(host: str) -> str:
    """An address to call for one to listen on."""
    return "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
