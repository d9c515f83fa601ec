"""Where a log is: a folder of this machine, or a stream of a JetStream server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

SCHEMES = ("nats", "tls")
PORT = 4222
STREAM = "vigil"
_URL = re.compile(r"(?P<scheme>\w+)://(?P<servers>[^/@\s]+)(?:/(?P<stream>[^/]*))?/?")
_SERVER = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::(?P<port>\d{1,5}))?")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class AddressError(ValueError):
    """No log can be there; says what was expected."""


@dataclass(frozen=True, slots=True)
class StreamAddress:
    """A stream and who may use it. As text it is a URL without any of that, fit for logs and plans."""

    scheme: str
    servers: tuple[tuple[str, int], ...]
    site: str = STREAM
    part: str = ""
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = ""
    certificate: str = ""
    key: str = ""
    replicas: int = 1
    domain: str = ""  # whose JetStream is asked; empty: that of the server itself
    hub: str = ""  # the domain that takes from this stream: nothing is trimmed before it has it
    local: Path | None = field(default=None, compare=False)  # where the one writer of this machine is noted

    @property
    def stream(self) -> str:
        return f"{self.site}-{self.part}" if self.part else self.site

    @property
    def subject(self) -> str:
        """Below that of the site, so that one permission covers what a site may write."""
        return f"vigil.{self.site}.{self.part}.frames" if self.part else f"vigil.{self.site}.frames"

    @property
    def api(self) -> str:
        """Where JetStream is asked."""
        return f"$JS.{self.domain}.API" if self.domain else "$JS.API"

    @property
    def secure(self) -> bool:
        """Whether TLS is a must; a server may ask for it all the same."""
        return self.scheme == "tls" or bool(self.ca or self.certificate)

    def __str__(self) -> str:
        return f"{self.scheme}://{','.join(map(_spelled, self.servers))}/{self.stream}"


LogAddress = Path | StreamAddress
# What an address says beside its URL; the names are those of the settings without `log_`.
ACCESS = ("user", "password", "ca", "certificate", "key")


def is_url(text: str) -> bool:
    return "://" in text


def address(text: str, access: Mapping[str, str] | None = None) -> LogAddress:
    """A folder's name or nats://HOST:PORT/STREAM, several servers with commas between them."""
    return stream_address(text, access or {}) if is_url(text) else Path(text)


def stream_address(url: str, access: Mapping[str, str], unnamed: str = STREAM) -> StreamAddress:
    """AddressError never repeats the URL: somebody may have written a password into it."""
    found = _URL.fullmatch(url)
    if found is None or found["scheme"] not in SCHEMES:
        raise AddressError("nats://host:4222/stream or tls://host:4222/stream expected, without a user")
    name = found["stream"] or unnamed
    if not _NAME.fullmatch(name):
        raise AddressError(f"a stream's name has letters, digits, - and _ only, not {name!r}")
    servers = tuple(_server(text) for text in found["servers"].split(","))
    user, password, ca, certificate, key = (access.get(one, "") for one in ACCESS)
    return StreamAddress(found["scheme"], servers, name, "", user, password, ca, certificate, key)


def beside(where: LogAddress, name: str) -> LogAddress:
    """Another log that belongs to this one, such as that of the dead letters."""
    return where / name if isinstance(where, Path) else replace(where, part=name)


def _server(text: str) -> tuple[str, int]:
    found = _SERVER.fullmatch(text)
    if found is None or int(found["port"] or PORT) > 65_535:
        raise AddressError(f"host:port expected, not {text!r}")
    return found["host"].strip("[]"), int(found["port"] or PORT)


def _spelled(server: tuple[str, int]) -> str:
    host, port = server
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
