"""Readings become events: weak and ghost reads and repeats dropped, cross-reads resolved, tags named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning import stays, tables
from app.cleaning.event_batch import EventWriter
from app.cleaning.floor import empty_floor
from app.cleaning.tables import Table
from app.log.row import SENSED
from app.place.doses import Dose, due
from app.place.loans import KnownLoan
from app.place.scenario import Scenario

Chosen = npt.NDArray[np.bool_]
Line = tuple[int, int, int, int, int, int]  # of the output of the loop
_DAY_MS = 86_400_000
_UNKNOWN_STRENGTH = -50.0  # a reader that reports no strength is believed
_KINDS = pa.array([*SENSED, "status", "clock"])  # in the order of the loop's READING, SCAN and so on
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
        self._barcodes = _barcodes(scenario.items)
        self._area_names = pa.array([area.name for area in plan.areas], pa.string())
        self._floor = empty_floor(scenario)
        self._tags, self._readers, self._doors, self._clock, *_ = self._floor
        self._writer = EventWriter(scenario)
        self.schema = self._writer.schema

    def push(self, readings: pa.RecordBatch, until: int = 0) -> pa.RecordBatch:
        """The events of these rows of the log, and of the time that has passed meanwhile."""
        rows = self._rows(readings)
        return self._follow(rows, max(until, int(rows[-1, 0]) if len(rows) else 0))

    def advance(self, ts: int) -> pa.RecordBatch:
        """The events that the passing of time alone brings: what has left, what is due."""
        return self._follow(np.empty((0, 5), np.int64), ts)

    def lend(self, loans: Sequence[KnownLoan], ts: int) -> pa.RecordBatch:
        """Loans that no scanner has seen: each patron's card, then what was lent to it."""
        return self._writer.batch(_told(loans, ts))

    def state(self) -> pa.RecordBatch:
        """Everything that must be kept, one row per tag or reader that has been heard."""
        lines = [("clock", "", self._clock.tolist())]
        lines += _lines("reader", self._reader_names, self._readers, self._readers[:, tables.HEARD] > 0)
        touched = (self._tags[:, tables.SEEN] > 0) | (self._tags[:, tables.CLAIMANTS] != tables.NOWHERE).any(
            axis=1
        )
        lines += _lines("tag", self._tag_names, self._tags, touched)
        lines += _lines("door", self._area_names, self._doors, self._doors[:, tables.BEGAN] > 0)
        columns = zip(*lines, strict=True)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, STATE, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=STATE)

    def restore(self, state: pa.RecordBatch) -> None:
        """Take up where an earlier cleaner has stopped; tags that are no longer known are left out."""
        _fill(self._readers, self._reader_names, state, "reader")
        _fill(self._tags, self._tag_names, state, "tag")
        _fill(self._doors, self._area_names, state, "door")
        for values in state.filter(pc.equal(state["of"], "clock"))["values"].to_pylist():
            self._clock[: len(values)] = values

    def _rows(self, readings: pa.RecordBatch) -> Table:
        """Known readers only; a weak or unknown tag still shows that its reader is alive."""
        what, detail = pc.index_in(readings["kind"], value_set=_KINDS), readings["detail"]
        offline = pc.fill_null(pc.match_substring(detail, '"offline"'), False)
        heard = pc.and_not(pc.is_valid(what), offline)
        reader = pc.index_in(readings["reader"], value_set=self._reader_names)
        kept = pc.and_(heard, pc.is_valid(reader)).to_numpy(zero_copy_only=False).astype(bool)
        strength = pc.fill_null(readings["rssi"], _UNKNOWN_STRENGTH).to_numpy(zero_copy_only=False)
        what = pc.fill_null(what, tables.STATUS).to_numpy()
        named = self._named(readings["tag"], what)
        clock = what == tables.OF_CLOCK
        columns = (
            readings["ts"].to_numpy(),
            pc.fill_null(reader, 0).to_numpy(),
            np.where(strength >= self._scenario.cleaning.floor, named, tables.NO_TAG),
            np.where(clock, _offsets(readings, clock), np.rint(strength * 100)),
            what,
        )
        rows = np.column_stack([column[kept].astype(np.int64) for column in columns])
        return np.ascontiguousarray(rows[np.argsort(rows[:, 0], kind="stable")])

    def _named(self, codes: pa.Array, what: Table) -> Table:
        """The rows of the catalog that tags and barcodes name; NO_TAG for none."""
        tags, barcodes = (_rows_of(codes, known) for known in (self._tag_names, self._barcodes))
        return np.where(what == tables.SCAN, barcodes, tags)

    def _follow(self, rows: Table, until: int) -> pa.RecordBatch:
        # A row can tell three things at most: its reader lives, its tag left there, its tag is here. A stay
        # ends once and goes through a door once.
        out = np.empty((4 * len(rows) + 2 * len(self._tags), tables.OUTPUT_COLUMNS), np.int64)
        floor = self._floor._replace(out=out, written=np.zeros(1, np.int64))
        loans = self._loans(rows)
        doses, done = [], 0
        for moment, dose in self._due(rows, until):
            reached = int(np.searchsorted(rows[:, 0], moment, "right"))
            stays.follow(rows[done:reached], floor, moment)
            done = reached
            if moment - self._tags[dose.patient, tables.SEEN] < _DAY_MS:
                doses.append((tables.DUE, moment, dose.bottle, -1, -1, 0))
        stays.follow(rows[done:], floor, until)
        return self._events(np.concatenate([loans, out[: floor.written[0]]]), doses)

    def _loans(self, rows: Table) -> Table:
        """What the catalog knows to be lent, told with the first row of all, however the log is cut."""
        if self._clock[tables.LOANS_TOLD] or not (len(rows) and self._scenario.loans):
            return _told((), 0)
        self._clock[tables.LOANS_TOLD] = rows[0, 0]
        return _told(self._scenario.loans, int(rows[0, 0]))

    def _due(self, rows: Table, until: int) -> Iterator[tuple[int, Dose]]:
        """The doses that fall due before `until`: when a moment has passed, nothing of it can still come, and
        where the log is cut into batches does not matter."""
        after = int(self._clock[tables.DOSES_TOLD]) or (int(rows[0, 0]) if len(rows) else until)
        self._clock[tables.DOSES_TOLD] = max(after, until)
        return due(self._scenario.doses, after - 1, until - 1, self._scenario.timezone)

    def _events(self, out: Table, doses: list[Line]) -> pa.RecordBatch:
        """The loop's lines and the doses due, in order of time."""
        told = np.concatenate([out, np.array(doses, np.int64).reshape(-1, tables.OUTPUT_COLUMNS)])
        return self._writer.batch(told[np.argsort(told[:, tables.WHEN], kind="stable")])


def _offsets(readings: pa.RecordBatch, clock: Chosen) -> Table:
    """How far a clock is ahead, in the rows that tell it."""
    offsets = np.zeros(readings.num_rows, np.int64)
    told = readings["detail"].filter(pa.array(clock)).to_pylist()
    offsets[clock] = [json.loads(detail)["offset_ms"] for detail in told]
    return offsets


def _told(loans: Sequence[KnownLoan], ts: int) -> Table:
    """One card, then any number of items, as at a counter."""
    lines = []
    for patron, lent in groupby(sorted(loans, key=attrgetter("patron")), attrgetter("patron")):
        rows = (patron, *(loan.item for loan in lent))
        lines += [(tables.TOLD_LOAN, ts, row, -1, -1, 0) for row in rows]
    return np.array(lines, np.int64).reshape(-1, tables.OUTPUT_COLUMNS)


def _rows_of(codes: pa.Array, known: pa.Array) -> Table:
    found: Table = pc.fill_null(pc.index_in(codes, value_set=known), tables.NO_TAG).to_numpy()
    return found


def _barcodes(items: pa.Table) -> pa.Array:
    if "barcode" not in items.column_names:
        return pa.nulls(0, pa.string())
    return items.column("barcode").combine_chunks()


def _lines(of: str, names: pa.Array, table: Table, chosen: Chosen) -> list[tuple[str, str, list[int]]]:
    rows = np.flatnonzero(chosen)
    return [(of, names[row].as_py(), table[row].tolist()) for row in rows.tolist()]


def _fill(table: Table, names: pa.Array, state: pa.RecordBatch, of: str) -> None:
    mine = state.filter(pc.equal(state["of"], of))
    rows = pc.index_in(mine["name"], value_set=names).to_pylist()
    for row, values in zip(rows, mine["values"].to_pylist(), strict=True):
        if row is not None:
            table[row, : len(values)] = values  # an older version knew fewer columns
