"""What the tests of ingest share: messages of readers, clocks in their hands, and what came of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app import log
from app.clock import Clock
from app.ingest.intake import Ingest, IngestSettings
from app.ingest.payloads import DEFAULT, Route
from app.mqtt.message import Message

START = 1_786_612_500_000


@dataclass
class Time:
    """Both clocks in the test's hands: the wall clock can be set without the other noticing."""

    wall_ms: int = START
    elapsed_s: float = 1000.0
    boot: str = "this one"

    def pass_by(self, seconds: float) -> None:
        self.wall_ms += int(seconds * 1000)
        self.elapsed_s += seconds

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.wall_ms, lambda: self.elapsed_s, lambda: self.boot)


def reading(seq: int | None, tag: str = "AABB", reader: str = "r1", **extra: Any) -> Message:
    value = {"reader": reader, "tag": tag, "ts": START + (seq or 0), "seq": seq, **extra}
    return Message(f"vigil/readings/{reader}", json.dumps(value).encode(), extra.pop("repeated", False))


def again(message: Message) -> Message:
    return Message(message.topic, message.payload, repeated=True)


def opened(folder: Path, time: Time | None = None, routes: tuple[Route, ...] = DEFAULT) -> Ingest:
    return Ingest(IngestSettings(folder, routes), (time or Time()).clock)


def rows(folder: Path, kind: str = "reading") -> list[dict[str, Any]]:
    found = [row for batch in log.read(folder, 0, log.end(folder)) for row in batch.to_pylist()]
    return [row for row in found if row["kind"] == kind]


def statuses(folder: Path) -> list[dict[str, Any]]:
    return [{"reader": row["reader"], **json.loads(row["detail"])} for row in rows(folder, "status")]
