"""One connection to a NATS server, as much of its protocol as requests and answers need; synchronous, so that
it serves in Spark's workers as well as here."""

from __future__ import annotations

import json
import os
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from app.log.errors import LogDeniedError
from app.log_address import StreamAddress

CONNECT_S = 3.0
ANSWER_S = 5.0
NO_RESPONDERS = 503
_BUFFER = 1 << 18


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; the status is 0 where it is data."""

    status: int
    headers: Mapping[str, str]
    data: bytes


class Connection:
    """Any OSError means that it is of no more use."""

    def __init__(self, address: StreamAddress, server: tuple[str, int]) -> None:
        self._address = address
        self._file: BinaryIO | None = None
        self._socket = socket.create_connection(server, CONNECT_S)
        try:
            self._open(server[0])
        except BaseException:
            self.close()
            raise
        # Below the site, so that who may listen to the answers of one site hears nobody else's.
        self._inbox, self._asked = f"_INBOX.{address.site}.{os.urandom(11).hex()}", 0
        self._send(f"SUB {self._inbox}.* 1\r\n".encode())

    @property
    def most_bytes(self) -> int:
        """The largest message that the server takes."""
        return int(self._info["max_payload"])

    def request(self, subject: str, body: bytes, headers: Mapping[str, str] | None = None) -> Reply:
        return next(self.requests(subject, body, headers))

    def requests(
        self, subject: str, body: bytes, headers: Mapping[str, str] | None = None
    ) -> Iterator[Reply]:
        """The answers as they come, without an end: only who asks knows the last one."""
        self._asked += 1
        inbox = f"{self._inbox}.{self._asked}"
        if headers:
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            head = f"NATS/1.0\r\n{lines}\r\n"
            size = len(head.encode())
            line = f"HPUB {subject} {inbox} {size} {size + len(body)}\r\n{head}"
        else:
            line = f"PUB {subject} {inbox} {len(body)}\r\n"
        self._send(line.encode() + body + b"\r\n")
        while True:
            found, reply = self._message()
            if found == inbox:  # the rest of an earlier question's answers may still be coming
                yield reply

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._socket.close()

    def __del__(self) -> None:
        """A thread that ends takes its connection with it."""
        if hasattr(self, "_socket"):
            self.close()

    def _open(self, host: str) -> None:
        self._socket.settimeout(CONNECT_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Unbuffered: what follows the greeting may be TLS, which is not ours to read ahead.
        self._info = _greeting(_line(self._socket))
        offered = self._info.get("tls_required") or self._info.get("tls_available")
        if self._address.secure and not offered:
            raise LogDeniedError(self._address, "the server does not offer TLS, and nothing is sent without")
        secure = self._address.secure or bool(self._info.get("tls_required"))
        if secure:
            self._socket = _encrypted(self._socket, host, self._address)
        self._file = cast(BinaryIO, self._socket.makefile("rb", _BUFFER))
        self._send(f"CONNECT {json.dumps(_introduction(self._address, secure))}\r\nPING\r\n".encode())
        while not (line := self._control()).startswith(b"PONG"):
            self._heed(line)
        self._socket.settimeout(ANSWER_S)

    def _message(self) -> tuple[str, Reply]:
        while True:
            line = self._control()
            verb, *words = line.split()
            if verb == b"HMSG":
                header, total = int(words[-2]), int(words[-1])
                head, data = self._read(header), self._read(total - header)
                self._read(2)
                return words[0].decode(), Reply(*_headers(head), data)
            if verb == b"MSG":
                data = self._read(int(words[-1]))
                self._read(2)
                return words[0].decode(), Reply(0, {}, data)
            self._heed(line)

    def _heed(self, line: bytes) -> None:
        if line.startswith(b"PING"):
            self._send(b"PONG\r\n")
        elif line.startswith(b"-ERR"):
            said = line[4:].decode("utf-8", "replace").strip().strip("'")
            if "authoriz" in said.lower() or "permission" in said.lower() or "authentic" in said.lower():
                raise LogDeniedError(self._address, said)
            raise ConnectionError(said)

    def _control(self) -> bytes:
        assert self._file is not None
        line = self._file.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError("the server has closed the connection")
        return line

    def _read(self, size: int) -> bytes:
        assert self._file is not None
        data = self._file.read(size)
        if len(data) < size:
            raise ConnectionError("the server has closed the connection")
        return data

    def _send(self, data: bytes) -> None:
        self._socket.sendall(data)


def _line(plain: socket.socket) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        one = plain.recv(1)
        if not one:
            raise ConnectionError("the server has closed the connection")
        line += one
    return line


def _greeting(line: bytes) -> dict[str, Any]:
    if not line.startswith(b"INFO "):
        raise ConnectionError("this is no NATS server")
    try:
        info: dict[str, Any] = json.loads(line[5:])
    except ValueError:
        raise ConnectionError("this is no NATS server") from None
    return info


def _encrypted(plain: socket.socket, host: str, address: StreamAddress) -> ssl.SSLSocket:
    try:
        context = ssl.create_default_context(cafile=address.ca or None)
        if address.certificate:
            context.load_cert_chain(address.certificate, address.key)
        return context.wrap_socket(plain, server_hostname=host)
    except ssl.SSLError as error:
        raise LogDeniedError(address, f"TLS: {error.reason or error}") from None


def _introduction(address: StreamAddress, secure: bool) -> dict[str, object]:
    known = {"user": address.user, "pass": address.password} if address.user or address.password else {}
    flags = {"verbose": False, "pedantic": False, "headers": True, "no_responders": True}
    return {**flags, "tls_required": secure, "lang": "python", "version": "1", "name": "vigil", **known}


def _headers(raw: bytes) -> tuple[int, dict[str, str]]:
    first, *lines = raw.decode("utf-8", "replace").split("\r\n")
    words = first.split(maxsplit=2)
    pairs = (line.partition(":") for line in lines if line)
    return int(words[1]) if len(words) > 1 else 0, {name: value.strip() for name, _, value in pairs}
