"""Asks a stream's servers, over a new connection where one has failed, until they answer or patience ends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from app.backoff import Backoff
from app.log.errors import LogError, LogUnreachableError
from app.log.jetstream.connection import NO_RESPONDERS, Connection, Reply
from app.log_address import StreamAddress

# Servers choose a new leader within some seconds: a reader waits for that rather than fail.
PATIENCE_S = 20.0
ASK_AGAIN_S, ASK_AGAIN_LONGEST_S = 0.1, 2.0
NOT_FOUND, LAST_OF_BATCH = 404, 204
NO_STREAM, NO_MESSAGE, WRONG_SEQUENCE = 10059, 10037, 10071
# One answer of many frames; read whole before anybody works on it, so that no server waits for us.
ANSWER_BYTES = 4 << 20
_T = TypeVar("_T")


class StreamRefusedError(LogError):
    """JetStream has said no, with a code of its own."""

    def __init__(self, address: StreamAddress, error: Mapping[str, Any]) -> None:
        self.code = int(error.get("err_code", 0))
        self.passing = int(error.get("code", 0)) == NO_RESPONDERS
        super().__init__(f"{address}: {error.get('description', 'refused')}")


class Client:
    """Of one thread and one process; the connection is made when it is needed."""

    def __init__(self, address: StreamAddress) -> None:
        self.address = address
        self._connection: Connection | None = None
        self._turn = 0

    def connected(self) -> Connection:
        """To the first server that answers, beginning with the one after the last that failed."""
        if self._connection is not None:
            return self._connection
        failed: OSError | None = None
        for _ in self.address.servers:
            server = self.address.servers[self._turn % len(self.address.servers)]
            try:
                self._connection = Connection(self.address, server)
                return self._connection
            except OSError as error:
                self._turn += 1
                failed = error
        assert failed is not None
        raise failed

    def message(self, stream: str, sequence: int) -> dict[str, Any] | None:
        """A message as the stream's leader knows it, which is never behind; None if it has none there."""
        try:
            answer = self.api(f"STREAM.MSG.GET.{stream}", {"seq": sequence})
        except StreamRefusedError as error:
            if error.code == NO_MESSAGE:
                return None
            raise
        found: dict[str, Any] = answer["message"]
        return found

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def once(self, ask: Callable[[Connection], _T]) -> _T:
        """OSError if it fails; the next attempt begins with a new connection."""
        try:
            return ask(self.connected())
        except StreamRefusedError:  # an answer like any other
            raise
        except BaseException:
            self.close()
            raise

    def patiently(self, ask: Callable[[Connection], _T]) -> _T:
        backoff, until = Backoff(ASK_AGAIN_S, ASK_AGAIN_LONGEST_S), time.monotonic() + PATIENCE_S
        while True:
            try:
                return self.once(ask)
            except (OSError, StreamRefusedError) as error:
                if isinstance(error, StreamRefusedError) and not error.passing:
                    raise
                pause_s = backoff.next_s()
                if time.monotonic() + pause_s > until:
                    raise LogUnreachableError(self.address, error) from error
                time.sleep(pause_s)

    def api(self, subject: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """What JetStream answers to a request of its interface; StreamRefusedError if that is no."""
        return self.patiently(lambda link: self.answered(link, f"{self.address.api}.{subject}", body))

    def answered(self, link: Connection, subject: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return self.read(link.request(subject, json.dumps(body).encode()))

    def read(self, reply: Reply) -> dict[str, Any]:
        """Of JetStream's own answers, which are JSON."""
        if reply.status == NO_RESPONDERS:
            raise ConnectionError("no JetStream server is responsible at the moment")
        answer: dict[str, Any] = json.loads(reply.data)
        if "error" in answer:
            raise StreamRefusedError(self.address, answer["error"])
        return answer

    def direct(self, stream: str, body: Mapping[str, Any]) -> list[Reply]:
        """The messages that are asked for, as any replica has them; empty if there are none."""
        return self.patiently(lambda link: self._direct(link, stream, body))

    def _direct(self, link: Connection, stream: str, body: Mapping[str, Any]) -> list[Reply]:
        several, found = "batch" in body, list[Reply]()
        for reply in link.requests(f"{self.address.api}.DIRECT.GET.{stream}", json.dumps(body).encode()):
            if reply.status == NO_RESPONDERS:
                raise ConnectionError("no JetStream server is responsible at the moment")
            if reply.status in (LAST_OF_BATCH, NOT_FOUND):
                break
            if reply.status:
                raise LogError(f"{self.address}: the server cannot read its stream ({reply.status})")
            found.append(reply)
            if not several:
                break
        return found
