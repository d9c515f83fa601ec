"""Settings from a TOML file and the environment, checked as a whole: every fault is told at once."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from app import site_name
from app.log_address import ACCESS, STREAM, LogAddress, StreamAddress, stream_address

PREFIX = "VIGIL_"
FILE = "vigil.toml"
PROTOCOLS = ("auto", "5", "3.1.1")
CLOCKS = ("machine", "simulation")


class SettingsError(ValueError):
    """Settings that cannot be used, with everything that is wrong about them."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(faults))


@dataclass(frozen=True)
class Settings:
    """What an installation may set; `docs/running.md` says what each one means."""

    site: str = ""
    data: Path = Path("data")
    broker_url: str = "mqtt://127.0.0.1:1883"
    broker_protocol: str = "auto"
    broker_user: str = ""
    broker_password: str = field(default="", repr=False)
    broker_ca: str = ""
    broker_certificate: str = ""
    broker_key: str = ""
    topics: tuple[str, ...] = ("vigil/readings/#",)
    store_url: str = field(default="", repr=False)
    log_url: str = ""
    log_user: str = ""
    log_password: str = field(default="", repr=False)
    log_ca: str = ""
    log_certificate: str = ""
    log_key: str = ""
    log_replicas: int = 1
    log_hub: str = ""
    spark_master: str = "local[2]"
    spark_memory: str = "2g"
    spark_buckets: int = 1
    spark_checkpoint: str = ""
    lateness_ms: int = 500
    trigger_ms: int = 0
    heartbeat_ms: int = 1_000
    clock: str = "machine"
    dashboard_host: str = "127.0.0.1"
    dashboard_port: int = 8501
    dashboard_certificate: str = ""
    dashboard_key: str = ""
    trusted_proxies: tuple[str, ...] = ()
    detectors: str = ""
    silence_s: float = 60
    alerts_days: float = 365
    recording_days: float = 2
    recording_gib: float = 0
    spark: Mapping[str, str] = field(default_factory=dict)

    @property
    def store(self) -> str:
        """The store's URL: a SQLite file among the data unless another one is set."""
        return self.store_url or f"sqlite:///{self.data / 'store.db'}"

    @property
    def own_broker(self) -> bool:
        """Whether Vigil brings its own broker, as in embedded://0.0.0.0:1883."""
        return urlsplit(self.broker_url).scheme == "embedded"

    @property
    def log(self) -> LogAddress:
        """A folder among the data unless a stream is set."""
        return self.log_at(self.log_url) if self.log_url else self.log_folder

    @property
    def log_folder(self) -> Path:
        return self.data / "log"

    def log_at(self, url: str) -> StreamAddress:
        """A stream, for whoever these settings make of us."""
        access = {name: getattr(self, f"log_{name}") for name in ACCESS}
        found = stream_address(url, access, self.site or STREAM)
        return replace(found, replicas=self.log_replicas, hub=self.log_hub, local=self.log_folder)

    @property
    def checkpoint(self) -> Path:
        return self.data / "checkpoint"


def load(file: Path | None, environment: Mapping[str, str] = os.environ) -> Settings:
    """The file's settings (vigil.toml if there is one and none is named), overridden by the environment's."""
    faults: list[str] = []
    given = {**_from_file(file, faults), **_from_environment(environment)}
    values = {
        name: _value(name, origin, raw, faults) for name, (origin, raw) in given.items() if name in _KINDS
    }
    faults += [_unknown(name, origin) for name, (origin, _) in given.items() if name not in _KINDS]
    settings = Settings(**{name: value for name, value in values.items() if value is not None})
    if settings.site and "data" not in given:
        settings = replace(settings, data=settings.data / settings.site)
    faults += [fault for check in _CHECKS for fault in check(settings)]
    if faults:
        raise SettingsError(faults)
    return settings


def as_environment(settings: Settings) -> dict[str, str]:
    """The settings as variables, for the processes that a supervisor starts: no secret on a command line."""
    return {f"{PREFIX}{f.name.upper()}": _spelled(getattr(settings, f.name)) for f in fields(Settings)}


def hidden(url: str) -> str:
    """A URL fit for logs and screens: without its password."""
    import sqlalchemy as sa

    return sa.make_url(url).render_as_string(hide_password=True)


Given = dict[str, tuple[str, Any]]


def _from_file(file: Path | None, faults: list[str]) -> Given:
    path = file or Path(FILE)
    if file is None and not path.exists():
        return {}
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        faults.append(f"{path}: cannot be read: {error}")
        return {}
    return {name: (f"{path}: {name}", raw) for name, raw in content.items()}


def _from_environment(environment: Mapping[str, str]) -> Given:
    mine = {name: raw for name, raw in environment.items() if name.startswith(PREFIX) and name not in _OTHERS}
    return {name.removeprefix(PREFIX).lower(): (name, raw) for name, raw in mine.items()}


def _unknown(name: str, origin: str) -> str:
    close = get_close_matches(name, _KINDS, n=1)
    return f"{origin}: no such setting" + (f"; did you mean {close[0]}?" if close else "")


def _value(name: str, origin: str, raw: Any, faults: list[str]) -> Any:
    read, expected = _KINDS[name]
    try:
        return read(raw)
    except (ValueError, TypeError):
        faults.append(f"{origin}: {expected} expected")
        return None


def _text(raw: Any) -> str:
    if not isinstance(raw, str):
        raise TypeError
    return raw


def _whole(raw: Any) -> int:
    if isinstance(raw, bool) or (isinstance(raw, float) and raw != int(raw)):
        raise TypeError
    return int(raw)


def _texts(raw: Any) -> tuple[str, ...]:
    parts = raw.split(",") if isinstance(raw, str) else raw
    return tuple(text for part in parts if (text := _text(part).strip()))


def _options(raw: Any) -> dict[str, str]:
    """Spark's own options: a table of the file, or JSON in the environment; `executor.memory` and
    `spark.executor.memory` are one."""
    given = json.loads(raw) if isinstance(raw, str) else raw
    if not isinstance(given, dict):
        raise TypeError
    found = dict(_leaves(given))
    return {name if name.startswith("spark.") else f"spark.{name}": value for name, value in found.items()}


def _leaves(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", str(value).lower() if isinstance(value, bool) else str(value)


def _spelled(value: Any) -> str:
    if isinstance(value, dict):
        return json.dumps(value)
    return ",".join(value) if isinstance(value, tuple) else str(value)


_READ: dict[str, tuple[Callable[[Any], Any], str]] = {
    "str": (_text, "text"),
    "int": (_whole, "a whole number"),
    "float": (float, "a number"),
    "Path": (lambda raw: Path(_text(raw)), "a path"),
    "tuple[str, ...]": (_texts, "a list of texts"),
    "Mapping[str, str]": (_options, "a table of options"),
}
_KINDS = {f.name: _READ[str(f.type)] for f in fields(Settings)}
# Variables of the test suite and of Java's choice, which are not settings of the product.
_OTHERS = ("VIGIL_SOAK", "VIGIL_JAVA")


def _check_site(settings: Settings) -> list[str]:
    words = site_name.fault(settings.site) if settings.site else ""
    return [f"site: {words}"] if words else []


def _check_broker(settings: Settings) -> list[str]:
    broker = urlsplit(settings.broker_url)
    faults = []
    if broker.scheme not in ("mqtt", "mqtts", "embedded") or not broker.hostname:
        faults.append(f"broker_url: mqtt://host:1883 or mqtts://host:8883 expected, not {broker.netloc!r}")
    if broker.scheme == "embedded" and not (settings.broker_user and settings.broker_password):
        faults.append("broker_url: Vigil's own broker needs broker_user and VIGIL_BROKER_PASSWORD")
    if settings.broker_protocol not in PROTOCOLS:
        faults.append(f"broker_protocol: one of {', '.join(PROTOCOLS)} expected")
    if broker.password:
        faults.append("broker_url: keep the password out of it and set VIGIL_BROKER_PASSWORD")
    if bool(settings.broker_certificate) != bool(settings.broker_key):
        faults.append("broker_certificate and broker_key belong together: set both or neither")
    return faults


def _check_log(settings: Settings) -> list[str]:
    faults = []
    if bool(settings.log_certificate) != bool(settings.log_key):
        faults.append("log_certificate and log_key belong together: set both or neither")
    if settings.log_url:
        try:
            found = settings.log_at(settings.log_url)
        except ValueError as error:
            faults.append(f"log_url: {error}")
        else:
            if settings.site and found.site != settings.site:
                faults.append(
                    f"log_url: the stream of the site {settings.site} has its name, not {found.site}"
                )
    return faults


def _check_hub(settings: Settings) -> list[str]:
    if not settings.log_hub:
        return []
    faults = []
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", settings.log_hub):
        faults.append("log_hub: the hub's JetStream domain expected: letters, digits, - and _")
    if not (settings.log_url and settings.site):
        faults.append("log_hub: set `site` and `log_url` too: a hub takes from the stream of a site")
    return faults


def _check_pages(settings: Settings) -> list[str]:
    faults = []
    if bool(settings.dashboard_certificate) != bool(settings.dashboard_key):
        faults.append("dashboard_certificate and dashboard_key belong together: set both or neither")
    for name in settings.trusted_proxies:
        try:
            ip_network(name, strict=False)
        except ValueError:
            faults.append(f"trusted_proxies: {name!r} is no address or network such as 10.0.0.0/8")
    return faults


def _check_files(settings: Settings) -> list[str]:
    files = (
        *("broker_ca", "broker_certificate", "broker_key"),
        *("log_ca", "log_certificate", "log_key"),
        *("dashboard_certificate", "dashboard_key"),
    )
    named = {name: getattr(settings, name) for name in files if getattr(settings, name)}
    faults = [f"{name}: there is no file {path}" for name, path in named.items() if not Path(path).is_file()]
    if settings.detectors and not Path(settings.detectors).is_dir():
        faults.append(f"detectors: there is no folder {settings.detectors}")
    return faults


def _check_store(settings: Settings) -> list[str]:
    if not settings.store_url:
        return []
    import sqlalchemy as sa  # half a second: too much for commands that have no store

    try:
        backend = sa.make_url(settings.store_url).get_backend_name()
    except sa.exc.ArgumentError:
        return ["store_url: sqlite:///file or postgresql://user@host/database expected"]
    known = backend in ("sqlite", "postgresql", "postgres")
    return [] if known else [f"store_url: SQLite and PostgreSQL are supported, {backend} is not"]


def _check_clock(settings: Settings) -> list[str]:
    return [] if settings.clock in CLOCKS else [f"clock: one of {', '.join(CLOCKS)} expected"]


def _check_spark(settings: Settings) -> list[str]:
    named = {"spark.driver.memory": "spark_memory", "spark.sql.shuffle.partitions": "spark_buckets"}
    return [f"spark: set {ours} instead of {name}" for name, ours in named.items() if name in settings.spark]


def _check_checkpoint(settings: Settings) -> list[str]:
    """A folder without a scheme would be another one on every machine's own disk."""
    found = settings.spark_checkpoint
    if not found or urlsplit(found).scheme:
        return []
    return [
        f"spark_checkpoint: a URL such as hdfs://host/vigil or file:///shared/vigil expected, not {found}"
    ]


def _check_numbers(settings: Settings) -> list[str]:
    bounds = {
        "spark_buckets": (1, 1_000),
        "log_replicas": (1, 5),
        "lateness_ms": (0, 3_600_000),
        "trigger_ms": (0, 60_000),
        "heartbeat_ms": (0, 60_000),
        "dashboard_port": (0, 65_535),
        "silence_s": (1, 86_400),
        "recording_gib": (0, 1_000_000),
        "alerts_days": (0, 36_500),
        "recording_days": (0, 3_650),
    }
    return [
        f"{name}: {getattr(settings, name)} is outside {low} to {high}"
        for name, (low, high) in bounds.items()
        if not low <= getattr(settings, name) <= high
    ]


_CHECKS = (
    _check_site,
    _check_spark,
    _check_checkpoint,
    _check_broker,
    _check_log,
    _check_hub,
    _check_pages,
    _check_files,
    _check_store,
    _check_clock,
    _check_numbers,
)
