"""What would have been found had a reader not held its readings back: told late, or taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import detectors
from app import log
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import CleanedStream
from app.detection.alert import ReportedMatch
from app.detection.in_process import InProcess
from app.detection.queries import rules
from app.detection.signs_of_life import about, is_held
from app.log.by_time import positions_between
from app.log.row import ROW_SCHEMA, heartbeat_row, to_batch
from app.place.scenario import Scenario
from app.store import HeldReadings

# How far back a second look goes before what was held back, and how much it takes in at most.
MOST_BACK_MS = 12 * 3_600_000
MOST_ROWS = 300_000
# The same finding, though a reading more or less moves its end a little.
SAME_MS = 60_000


@dataclass(frozen=True)
class Difference:
    """Matches that come about only with what was held back, and such as come about only without it."""

    told: tuple[ReportedMatch, ...]
    refuted: tuple[ReportedMatch, ...]


def look_again(
    scenario: Scenario,
    setup: CleaningSetup,
    parameters: Mapping[str, Mapping[str, Any]],
    delivery: HeldReadings,
) -> Difference:
    """The tags of a delivery once as they came and once as if it had come in time: what differs is due to
    it alone, whatever else the look does not know of the past."""
    rows = _past(scenario, setup, parameters, delivery)
    if not rows.num_rows:
        return Difference((), ())
    until = int(pc.max(rows["received"]).as_py())
    held = is_held(rows)
    then = _found(scenario, setup, parameters, rows.filter(pc.invert(held)), until)
    now = _found(scenario, setup, parameters, rows, until)
    return Difference(tuple(_missing(now, then)), tuple(_missing(then, now)))


def is_same(one: ReportedMatch, other: ReportedMatch) -> bool:
    """About the same subject, by the same detector, at about the same time."""
    alike = one.query == other.query and _subject(one) == _subject(other)
    return alike and abs(one.end - other.end) <= SAME_MS


def _past(
    scenario: Scenario,
    setup: CleaningSetup,
    parameters: Mapping[str, Mapping[str, Any]],
    delivery: HeldReadings,
) -> pa.RecordBatch:
    """What the log has of these tags, from as long before as the queries remember; the newest if too much."""
    delivered = positions_between(setup.log, delivery.from_ms, delivery.until_ms + 1)
    mine = [
        batch.filter(pc.and_(pc.equal(batch["reader"], delivery.reader), is_held(batch)))
        for batch in log.read(setup.log, *delivered)
    ]
    tags = pa.array(sorted({tag for batch in mine for tag in batch["tag"].unique().to_pylist()}), pa.string())
    since = delivery.oldest_ms - _reach(scenario, parameters)
    positions = positions_between(setup.log, since, delivery.until_ms + 1)
    kept = [about(batch, tags) for batch in log.read(setup.log, positions[0], log.end(setup.log))]
    if not kept:
        return pa.RecordBatch.from_pylist([], schema=ROW_SCHEMA)
    rows = pa.concat_batches(kept)
    return rows.slice(max(0, rows.num_rows - MOST_ROWS))


def _reach(scenario: Scenario, parameters: Mapping[str, Mapping[str, Any]]) -> int:
    """How long ago something may have been that matters to the queries."""
    queries = [rule.compiled(name) for name, rule in rules(scenario, parameters).items()]
    return max(MOST_BACK_MS if one.reach is None else min(one.reach, MOST_BACK_MS) for one in queries)


def _found(
    scenario: Scenario,
    setup: CleaningSetup,
    parameters: Mapping[str, Mapping[str, Any]],
    rows: pa.RecordBatch,
    until: int,
) -> list[ReportedMatch]:
    """The detectors' matches of rows that come in the order of their time."""
    stream = CleanedStream(scenario, setup.lateness_ms, setup.catalogs, setup.learned)
    detection = InProcess(scenario, parameters)
    ordered = _in_time(pa.concat_batches([rows, _beat(until + setup.lateness_ms)]))
    matches = [*detection.matches(stream.push(ordered)), *detection.matches(stream.finish())]
    tags = set(rows["tag"].unique().to_pylist()) - {""}
    return [one for one in matches if one.query in parameters and not tags.isdisjoint(_tags(one))]


def _tags(match: ReportedMatch) -> Iterator[str]:
    """Of whom it tells: a reader's own silence is not looked at again, for it was silent."""
    for found in match.events.values():
        yield from (event.get("tag") or "" for event in (found if isinstance(found, list) else [found]))


def _in_time(rows: pa.RecordBatch) -> pa.RecordBatch:
    """As if each had come when it was read."""
    rows = rows.take(pa.array(np.argsort(rows["ts"].to_numpy(), kind="stable")))
    columns = dict(zip(rows.schema.names, rows.columns, strict=True)) | {
        "position": pa.array(np.arange(rows.num_rows)),
        "received": rows["ts"],
    }
    return pa.RecordBatch.from_arrays(list(columns.values()), schema=rows.schema)


def _beat(until: int) -> pa.RecordBatch:
    beat = to_batch([heartbeat_row(until, until)])
    return pa.RecordBatch.from_arrays([pa.array([0]), *beat.columns], schema=ROW_SCHEMA)


def _missing(some: Sequence[ReportedMatch], others: Sequence[ReportedMatch]) -> Iterator[ReportedMatch]:
    yield from (one for one in some if not any(is_same(one, other) for other in others))


def _subject(match: ReportedMatch) -> str:
    return detectors.load()[match.query].subject_of(match)
