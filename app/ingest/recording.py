"""A recording as messages to publish: from a file or a log, moved to the present, each in its time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from app import log
from app.ingest.payloads.fields import milliseconds
from app.log import LogAddress
from app.log.row import SENSED
from app.mqtt.publish import Publication, PublishError
from app.mqtt.topics import READINGS, SIMULATOR_CLOCK, STATUS

TOLD_EVERY_MS = 200


def read(path: LogAddress) -> Iterator[Publication]:
    """A log, or a file with one reading, status or {"topic", "payload"} a line."""
    return _from_lines(path) if isinstance(path, Path) and not path.is_dir() else _from_log(path)


def _from_lines(path: Path) -> Iterator[Publication]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _from_line(f"{path}:{number}", line)


def _from_line(origin: str, line: str) -> Publication:
    try:
        value = json.loads(line)
        if "topic" in value:
            payload = value["payload"]
            return Publication(value["topic"], payload, value.get("ts"))
        folder = STATUS if "status" in value else READINGS
        return Publication(f"{folder}/{value['reader']}", value, milliseconds(value["ts"], "ts"))
    except (ValueError, KeyError, TypeError) as error:
        raise PublishError(f'{origin}: no reading, status or {{"topic", "payload"}}: {error!r}') from None


def _from_log(where: LogAddress) -> Iterator[Publication]:
    for batch in log.read(where, log.earliest(where), log.end(where)):
        for row in batch.to_pylist():
            if row["kind"] in SENSED:
                yield Publication(f"{READINGS}/{row['reader']}", _as_published(row), row["ts"])


def _as_published(row: Mapping[str, Any]) -> dict[str, object]:
    """What a sensor has seen, in Vigil's own JSON."""
    if row["kind"] == "reading":
        return {name: row[name] for name in ("reader", "antenna", "tag", "ts", "rssi", "seq")}
    said = {"barcode": {"barcode": row["tag"]}, "guess": {}}.get(row["kind"], {row["kind"]: True})
    detail = json.loads(row["detail"]) if row["detail"] else {}
    return {"reader": row["reader"], **said, **detail, "ts": row["ts"], "seq": row["seq"]}


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


def timed(publications: Iterable[Publication], speed: float) -> Iterator[Publication]:
    """With the recording's own time among what it holds, for an ingest that goes by it."""
    told = 0
    for each in publications:
        if each.ts is not None and each.ts - told >= TOLD_EVERY_MS:
            told = each.ts
            yield Publication(SIMULATOR_CLOCK, {"now_ms": told, "speed": speed}, each.ts)
        yield each


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
