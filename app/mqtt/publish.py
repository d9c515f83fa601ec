"""Sends recorded or simulated readings to a broker, at the pace at which they happened or any other."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Semaphore
from typing import Any

from paho.mqtt.reasoncodes import ReasonCode

from app import log
from app.ingest.payloads import CONTROL, READINGS, STATUS
from app.ingest.payloads.fields import milliseconds
from app.mqtt import connection as brokers
from app.mqtt.connection import Connection

ANSWER_S = 30.0
WAITING = 500


class PublishError(Exception):
    """A file that cannot be sent, or a broker that does not take it."""


@dataclass(frozen=True, slots=True)
class Publication:
    topic: str
    payload: dict[str, Any] | str
    ts: int | None

    def encoded(self) -> bytes:
        return (self.payload if isinstance(self.payload, str) else json.dumps(self.payload)).encode()


def read(path: Path) -> Iterator[Publication]:
    """A log folder, or a file with one reading, status or {"topic", "payload"} a line."""
    return _from_log(path) if path.is_dir() else _from_lines(path)


def _from_lines(path: Path) -> Iterator[Publication]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _from_line(f"{path}:{number}", line)


def _from_line(place: str, line: str) -> Publication:
    try:
        value = json.loads(line)
        if "topic" in value:
            payload = value["payload"]
            return Publication(value["topic"], payload, value.get("ts"))
        folder = READINGS if "tag" in value else STATUS
        return Publication(f"{folder}/{value['reader']}", value, milliseconds(value["ts"], "ts"))
    except (ValueError, KeyError, TypeError) as error:
        raise PublishError(f'{place}: no reading, status or {{"topic", "payload"}}: {error!r}') from None


def _from_log(folder: Path) -> Iterator[Publication]:
    for batch in log.read(folder, log.earliest(folder), log.end(folder)):
        for row in batch.to_pylist():
            if row["kind"] == "reading":
                fields = {name: row[name] for name in ("reader", "antenna", "tag", "ts", "rssi", "seq")}
                yield Publication(f"{READINGS}/{row['reader']}", fields, row["ts"])


def shifted(publications: Iterable[Publication], now_ms: int) -> Iterator[Publication]:
    """The same as if it began now."""
    offset: int | None = None
    for each in publications:
        if each.ts is None or isinstance(each.payload, str):
            yield each
            continue
        offset = now_ms - each.ts if offset is None else offset
        ts = each.ts + offset
        yield replace(each, ts=ts, payload={**each.payload, "ts": ts})


def paced(
    publications: Iterable[Publication],
    speed: float,
    clock: Callable[[], float],
    wait: Callable[[float], None],
) -> Iterator[Publication]:
    """Each in its time: speed 1 as it happened, 10 ten times as fast."""
    first: int | None = None
    began = clock()
    for each in publications:
        if each.ts is not None:
            first = each.ts if first is None else first
            ahead = (each.ts - first) / 1000 / speed - (clock() - began)
            if ahead > 0:
                wait(ahead)
        yield each


def send(
    broker: Connection, publications: Iterable[Publication], sent: Callable[[], None] = lambda: None
) -> None:
    """Publish at QoS 1 and return when the broker has acknowledged everything."""
    publisher = brokers.client(broker, f"vigil-publish-{uuid.uuid4().hex[:8]}", 4)
    publisher.max_inflight_messages_set(WAITING)
    answers: SimpleQueue[ReasonCode] = SimpleQueue()
    publisher.on_connect = lambda _client, _data, _flags, reason, _rest: answers.put(reason)
    # Counted by acknowledgements: what is published while the broker is away is sent when it is back.
    room = Semaphore(WAITING)
    publisher.on_publish = lambda *_: room.release()
    brokers.connect(publisher, broker, 4)
    publisher.loop_start()
    try:
        _accepted(broker, answers)
        for each in publications:
            _await_room(broker, room)
            publisher.publish(each.topic, each.encoded(), qos=1)
            sent()
        for _ in range(WAITING):
            _await_room(broker, room)
        publisher.disconnect()
    finally:
        publisher.loop_stop()


def control(broker: Connection, command: dict[str, Any]) -> None:
    """Put a command into the stream: ingest writes it to the log, between the readings it arrives between."""
    send(broker, [Publication(CONTROL, command, None)])


def _accepted(broker: Connection, answers: SimpleQueue[ReasonCode]) -> None:
    try:
        reason = answers.get(timeout=ANSWER_S)
    except Empty:
        raise PublishError(f"{broker.url} has not answered for {ANSWER_S:.0f} s") from None
    if reason.is_failure:
        raise PublishError(f"{broker.url} refuses the connection: {reason}")


def _await_room(broker: Connection, room: Semaphore) -> None:
    if not room.acquire(timeout=ANSWER_S):
        raise PublishError(f"{broker.url} has not acknowledged a message for {ANSWER_S:.0f} s")
