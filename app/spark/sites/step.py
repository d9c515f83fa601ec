"""One step of one site: its log read on, cleaned and matched, by the clock that is in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from app import log
from app.cleaning import snapshots
from app.cleaning.stream import HEARTBEAT
from app.cleaning.stream import schema as cleaned_schema
from app.log_address import address
from app.place.declared_constraints import about_cleaned
from app.place.event_types import cleaned_types
from app.spark.sites import cleaned, kept, place
from app.spark.sites.cleaned import CleaningRun, SiteLog
from app.spark.sites.kept import CLEANING, KeptSite
from app.spark.sites.source import GONE
from sase.spark.apart import StreamPlan
from sase.spark.bucket.shared_state import SharedState
from sase.spark.input.prepare import ColumnNames

HISTORY = "2 hours"
# A snapshot is written when so many rows came after the last one, and twice as many as it has itself: so
# seldom that it costs little, so often that a new worker is soon where it should be.
LEAST_ROWS, TIMES_AS_MANY = 2_000, 2
KEPT, STUCK = "kept", "stuck"  # kinds of rows about the site itself
_NAMES = ColumnNames("event", "ts", "seq", "event_id", "control", HEARTBEAT)

Found = dict[str, Any]


def site_step(state: SharedState, asked: Any, access: Mapping[str, str]) -> Iterator[Found]:
    """`asked` is a row of the source."""
    text = state.load()
    if asked.upto == GONE:
        if text is not None:
            cleaned.forget(kept.read(text).lineage)
            state.clear()
        return
    before = kept.read(text) if text is not None else KeptSite(asked.start, asked.start)
    site = SiteLog(address(asked.log, access), place.load(Path(asked.place)))
    try:
        run = site.at(before, partial(state.read, CLEANING, before.snapshot))
        batch = run.push(asked.upto)
    except log.LogUnreachableError:  # it may come back: the batch is tried again
        raise
    except log.LogError as error:
        yield from _stuck(state, before, str(error))
        return
    yield from _stepped(state, before, run, batch, _plan(Path(asked.place)))


def _stuck(state: SharedState, before: KeptSite, words: str) -> Iterator[Found]:
    """What is missing in one site's log ends that site's, and nobody else's, until it is there again."""
    if words != before.stuck:
        state.save(kept.written(replace(before, stuck=words)))
    yield {"kind": STUCK, "reason": words, "position": before.position}


def _stepped(
    state: SharedState, before: KeptSite, run: CleaningRun, batch: pa.RecordBatch | None, plan: StreamPlan
) -> Iterator[Found]:
    stream = run.stream
    unsaved = stream.position - max(before.snapshot_position, before.begin)
    if batch is None or (unsaved < LEAST_ROWS and _brings_nothing(batch, stream.now, before)):
        run.give_back(before.position)
        return
    stepped = plan.step(state, before.heads, batch)
    after = before.read_to(stream.position, stepped.heads, stepped.deadline)
    after = _with_snapshot(state, after, run)
    state.save(kept.written(after))
    run.give_back(after.position)
    if before.stuck:
        yield {"kind": STUCK, "reason": "", "position": after.position}
    yield from (_shown(row) for row in stepped.rows if _is_told(row, plan))
    if after.snapshot != before.snapshot:
        yield {"kind": KEPT, "position": after.snapshot_position}


def _brings_nothing(batch: pa.RecordBatch, now: int, before: KeptSite) -> bool:
    """Only time passes, and nothing waits for it: matching need not hear of it, nor the state be written."""
    if before.stuck or not before.heads or (before.deadline is not None and before.deadline <= now):
        return False
    return bool(pc.all(pc.equal(batch["event"], HEARTBEAT)).as_py())


def _with_snapshot(state: SharedState, site: KeptSite, run: CleaningRun) -> KeptSite:
    rows = site.position - max(site.snapshot_position, site.begin)
    if rows < LEAST_ROWS:
        return site
    found = run.stream.snapshot()
    if rows < TIMES_AS_MANY * (found.held.num_rows + found.cleaner.num_rows):
        return site
    number = site.snapshot + 1
    state.write(CLEANING, number, snapshots.packed(found))
    if site.snapshot:
        state.drop(CLEANING, site.snapshot)
    return replace(site, snapshot=number, snapshot_position=site.position)


def _is_told(row: Found, plan: StreamPlan) -> bool:
    """Figures only of queries beside which constraints stand: what these spare is shown."""
    return row["kind"] != "metric" or row["query"] in plan.constrained


def _shown(row: Found) -> Found:
    if row["kind"] == "metric":
        figures = {name: value for name, value in row["figures"].items() if value is not None}
        return row | {"attributes": json.dumps(figures)}
    return row


@lru_cache(maxsize=4096)
def _plan(path: Path) -> StreamPlan:
    found = place.load(path)
    scenario = found.scenario
    return StreamPlan(
        found.rules,
        cleaned_schema(scenario),
        _NAMES,
        frozenset(cleaned_types(scenario.plan)),
        history=HISTORY,
        constraints=about_cleaned(scenario.constraints, scenario.plan),
    )
