"""Readings become events: weak and ghost reads and repeats dropped, cross-reads resolved, tags named."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning import stays
from app.cleaning.event_batch import EventWriter
from app.cleaning.stays import Floor, Table
from app.place.doses import Dose, due
from app.place.scenario import Scenario

Chosen = npt.NDArray[np.bool_]
Line = tuple[int, int, int, int, int, int]  # of the output of the loop
_DAY_MS = 86_400_000
_UNKNOWN_STRENGTH = -50.0  # a reader that reports no strength is believed
STATE = pa.schema([("of", pa.string()), ("name", pa.string()), ("values", pa.list_(pa.int64()))])


class Cleaner:
    """Incremental and deterministic; rows should come in order of time.

    Tags can be spread over many cleaners, each of which sees the readings of some tags and the status
    reports of all readers: these tell it that a reader is up although it reads nothing."""

    def __init__(self, scenario: Scenario) -> None:
        plan = scenario.plan
        self._scenario = scenario
        self._reader_names = pa.array([reader.name for reader in plan.readers], pa.string())
        self._tag_names = scenario.items.column("tag").combine_chunks()
        self._tags = np.zeros((len(self._tag_names), stays.TAG_COLUMNS), np.int64)
        self._tags[:, [stays.AREA, *stays.CLAIMANTS]] = stays.NOWHERE
        self._readers = np.zeros((len(plan.readers), stays.READER_COLUMNS), np.int64)
        self._clock = np.zeros(3, np.int64)
        self._floor = _floor(scenario, self._tags, self._readers, self._clock)
        self._writer = EventWriter(scenario)
        self.schema = self._writer.schema

    def push(self, readings: pa.RecordBatch, until: int = 0) -> pa.RecordBatch:
        """The events of these rows of the log, and of the time that has passed meanwhile."""
        rows = self._rows(readings)
        return self._follow(rows, max(until, int(rows[-1, 0]) if len(rows) else 0))

    def advance(self, ts: int) -> pa.RecordBatch:
        """The events that the passing of time alone brings: what has left, what is due."""
        return self._follow(np.empty((0, 4), np.int64), ts)

    def state(self) -> pa.RecordBatch:
        """Everything that must be kept, one row per tag or reader that has been heard."""
        lines = [("clock", "", self._clock.tolist())]
        lines += _lines("reader", self._reader_names, self._readers, self._readers[:, stays.HEARD] > 0)
        touched = (self._tags[:, stays.SEEN] > 0) | (self._tags[:, stays.CLAIMANTS] != stays.NOWHERE).any(
            axis=1
        )
        lines += _lines("tag", self._tag_names, self._tags, touched)
        columns = zip(*lines, strict=True)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, STATE, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=STATE)

    def restore(self, state: pa.RecordBatch) -> None:
        """Take up where an earlier cleaner has stopped; tags that are no longer known are left out."""
        _fill(self._readers, self._reader_names, state, "reader")
        _fill(self._tags, self._tag_names, state, "tag")
        for values in state.filter(pc.equal(state["of"], "clock"))["values"].to_pylist():
            self._clock[:] = values

    def _rows(self, readings: pa.RecordBatch) -> Table:
        """Known readers only; a weak or unknown tag still shows that its reader is alive."""
        kind, detail = readings["kind"], readings["detail"]
        offline = pc.fill_null(pc.match_substring(detail, '"offline"'), False)
        heard = pc.and_not(pc.is_in(kind, pa.array(["reading", "status", "clock"])), offline)
        reader = pc.index_in(readings["reader"], value_set=self._reader_names)
        kept = pc.and_(heard, pc.is_valid(reader)).to_numpy(zero_copy_only=False).astype(bool)
        strength = pc.fill_null(readings["rssi"], _UNKNOWN_STRENGTH).to_numpy(zero_copy_only=False)
        tag = pc.fill_null(pc.index_in(readings["tag"], value_set=self._tag_names), stays.NO_TAG).to_numpy()
        tag = np.where(strength >= self._scenario.cleaning.floor, tag, stays.NO_TAG)
        clock = pc.equal(kind, "clock").to_numpy(zero_copy_only=False)
        columns = (
            readings["ts"].to_numpy(),
            pc.fill_null(reader, 0).to_numpy(),
            np.where(clock, stays.OF_CLOCK, tag),
            np.where(clock, _offsets(readings, clock), np.rint(strength * 100)),
        )
        rows = np.column_stack([column[kept].astype(np.int64) for column in columns])
        return np.ascontiguousarray(rows[np.argsort(rows[:, 0], kind="stable")])

    def _follow(self, rows: Table, until: int) -> pa.RecordBatch:
        # A row can tell three things at most: its reader lives, its tag left there, its tag is here.
        out = np.empty((3 * len(rows) + len(self._tags), stays.OUTPUT_COLUMNS), np.int64)
        floor = self._floor._replace(out=out, written=np.zeros(1, np.int64))
        doses, done = [], 0
        for moment, dose in self._due(rows, until):
            reached = int(np.searchsorted(rows[:, 0], moment, "right"))
            stays.follow(rows[done:reached], floor, moment)
            done = reached
            if moment - self._tags[dose.patient, stays.SEEN] < _DAY_MS:
                doses.append((stays.DUE, moment, dose.bottle, -1, -1, 0))
        stays.follow(rows[done:], floor, until)
        return self._events(out[: floor.written[0]], doses)

    def _due(self, rows: Table, until: int) -> Iterator[tuple[int, Dose]]:
        """The doses that fall due before `until`: when a moment has passed, nothing of it can still come, and
        where the log is cut into batches does not matter."""
        after = int(self._clock[stays.DOSES_TOLD]) or (int(rows[0, 0]) if len(rows) else until)
        self._clock[stays.DOSES_TOLD] = max(after, until)
        return due(self._scenario.doses, after - 1, until - 1, self._scenario.timezone)

    def _events(self, out: Table, doses: list[Line]) -> pa.RecordBatch:
        """The loop's lines and the doses due, in order of time."""
        told = np.concatenate([out, np.array(doses, np.int64).reshape(-1, stays.OUTPUT_COLUMNS)])
        return self._writer.batch(told[np.argsort(told[:, stays.WHEN], kind="stable")])


def _offsets(readings: pa.RecordBatch, clock: Chosen) -> Table:
    """How far a clock is ahead, in the rows that tell it."""
    offsets = np.zeros(readings.num_rows, np.int64)
    told = readings["detail"].filter(pa.array(clock)).to_pylist()
    offsets[clock] = [json.loads(detail)["offset_ms"] for detail in told]
    return offsets


def _floor(scenario: Scenario, tags: Table, readers: Table, clock: Table) -> Floor:
    names = [area.name for area in scenario.plan.areas]
    cleaning = scenario.cleaning
    return Floor(
        tags=tags,
        readers=readers,
        clock=clock,
        reader_area=np.array([names.index(reader.area) for reader in scenario.plan.readers], np.int64),
        areas=_settings(scenario),
        confirm=cleaning.confirm,
        margin=round(cleaning.margin * 100),
        alive_every=cleaning.alive_ms,
        out=np.empty((0, stays.OUTPUT_COLUMNS), np.int64),
        written=np.zeros(1, np.int64),
    )


def _settings(scenario: Scenario) -> Table:
    """The areas' rows for the kernel: times follow the slowest reader of the area."""
    rows = []
    for area in scenario.plan.areas:
        periods = [reader.every_ms for reader in scenario.plan.readers if reader.area == area.name]
        period = max(periods, default=1000)
        forget = period * scenario.cleaning.forget
        rows.append((forget, max(period * 5 // 2, 2000), scenario.cleaning.refresh(area.kind)))
    return np.array(rows, np.int64)


def _lines(of: str, names: pa.Array, table: Table, chosen: Chosen) -> list[tuple[str, str, list[int]]]:
    rows = np.flatnonzero(chosen)
    return [(of, names[row].as_py(), table[row].tolist()) for row in rows.tolist()]


def _fill(table: Table, names: pa.Array, state: pa.RecordBatch, of: str) -> None:
    mine = state.filter(pc.equal(state["of"], of))
    rows = pc.index_in(mine["name"], value_set=names).to_pylist()
    for row, values in zip(rows, mine["values"].to_pylist(), strict=True):
        if row is not None:
            table[row] = values
