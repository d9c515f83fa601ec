"""Histories to learn from: a file of events, or the recording in the log, cleaned as ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from app import log
from app.cleaning.stream import CONTROL, HEARTBEAT, LATE, CleanedStream
from app.log import LogAddress
from app.match.file import EventFile, Events
from app.place.scenario import Scenario

CaseEvent = tuple[str, int, Any]  # type, ts, case
_NO_EVENTS = pa.array([CONTROL, HEARTBEAT, LATE])


class NoHistoryError(ValueError):
    """There is nothing to learn from; says why."""


@dataclass(frozen=True)
class Stretch:
    """Some events in order, and which share of the history has been read with them."""

    events: list[CaseEvent]
    done: float


def of_file(file: EventFile, by: Sequence[str]) -> Iterator[Stretch]:
    """The events of a file that have the attributes of a case."""
    known = False
    for batch in file.batches():
        events = list(_cases(batch, by))
        known = known or bool(events)
        yield Stretch(events, file.done / (file.total or 1))
    if not known:
        raise NoHistoryError(f"no event has {' and '.join(by)}: --by names the attributes of a case")


def of_recording(
    place: Scenario, where: LogAddress, lateness_ms: int, by: Sequence[str], from_ms: int, until_ms: int
) -> Iterator[Stretch]:
    """The cleaned events of a part of the log, in the order in which the detectors have seen them."""
    wanted = sum(batch.num_rows for batch in _rows(where, from_ms, until_ms))
    if not wanted:
        raise NoHistoryError(f"{where} has no readings of that time")
    stream, read = CleanedStream(place, lateness_ms), 0
    for batch in _rows(where, from_ms, until_ms):
        read += batch.num_rows
        yield Stretch(list(_cases(_events(stream.push(batch)), by)), read / wanted)
    yield Stretch(list(_cases(_events(stream.finish()), by)), 1.0)


def _rows(where: LogAddress, from_ms: int, until_ms: int) -> Iterator[pa.RecordBatch]:
    for batch in log.read(where, log.earliest(where), log.end(where)):
        inside = pc.and_(pc.greater_equal(batch["ts"], from_ms), pc.less(batch["ts"], until_ms))
        if (some := batch.filter(inside)).num_rows:
            yield some


def _events(stream: pa.RecordBatch) -> pa.RecordBatch:
    return stream.filter(pc.invert(pc.is_in(stream["event"], _NO_EVENTS)))


def _cases(batch: Events, by: Sequence[str]) -> Iterator[CaseEvent]:
    """Events without an attribute of the case are of no case."""
    if isinstance(batch, list):
        rows = ((event["event"], event["ts"], tuple(event.get(name) for name in by)) for event in batch)
    elif not set(by) <= set(batch.schema.names):
        return
    else:
        columns = [batch[name].to_pylist() for name in ("event", "ts", *by)]
        rows = ((event, ts, tuple(case)) for event, ts, *case in zip(*columns, strict=True))
    for event, ts, case in rows:
        if None not in case:
            yield event, ts, case
