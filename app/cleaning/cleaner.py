"""Readings become events: weak and ghost reads and repeats dropped, cross-reads resolved, tags named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import groupby
from operator import attrgetter, itemgetter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning import stays, tables
from app.cleaning.codes import Codes
from app.cleaning.event_batch import EventWriter, Sure
from app.cleaning.floor import empty_floor
from app.cleaning.kept_rows import Chosen, fill, kept
from app.cleaning.order import HELD
from app.cleaning.placed import Placed, placed
from app.cleaning.shelf_stock import ShelfStock, StockLine
from app.cleaning.tables import Table
from app.cleaning.whereabouts.keeping import Believed
from app.place.cleaning_settings import WHEREABOUTS
from app.place.doses import Dose, due, wristbands
from app.place.floor_plan import DOOR, WAYS_OUT
from app.place.loans import KnownLoan
from app.place.scenario import Scenario

Told = tuple[Table, Sure]  # lines of the loop, and how likely each is
_DAY_MS = 86_400_000
_AT_ONCE = 65_536  # rows in one run of the loop
ROW_COLUMNS = 6  # ts, reader, tag, strength, what, when it was read
_LINES = 8  # told for each row and each tag, at the most
_UNKNOWN_STRENGTH = -50.0  # a reader that reports no strength is believed
# In the order of the loop's READING, SCAN and so on.
_KINDS = pa.array(["reading", "barcode", "motion", "status", "clock", HELD])


class Cleaner:
    """Incremental and deterministic; rows should come in order of time.

    Tags can be spread over many cleaners, each of which sees the readings of some tags and the status
    reports of all readers: these tell it that a reader is up although it reads nothing."""

    def __init__(self, scenario: Scenario) -> None:
        plan = scenario.plan
        self._scenario = scenario
        self._reader_names = pa.array([reader.name for reader in plan.readers], pa.string())
        self._tag_names = scenario.items.column("tag").combine_chunks()
        self._tag_codes, self._barcodes = Codes(self._tag_names), Codes(_barcodes(scenario.items))
        self._area_names = pa.array([area.name for area in plan.areas], pa.string())
        # By stays, who went through a door, and which way, is seen by those who see it move then, or never.
        self._at_doors = np.array([plan.area(reader.area).kind == DOOR for reader in plan.readers])
        self._floor = empty_floor(scenario)
        self._tags, self._readers, self._doors, self._clock, *_ = self._floor
        self._believed = Believed(scenario) if scenario.cleaning.method == WHEREABOUTS else None
        self._stock = ShelfStock(scenario)
        self._writer = EventWriter(scenario)
        self.schema = self._writer.schema

    def push(self, readings: pa.RecordBatch, until: int = 0) -> pa.RecordBatch:
        """The events of these rows of the log, and of the time that has passed meanwhile."""
        rows = self._rows(readings)
        return self._follow(rows, max(until, int(rows[-1, 0]) if len(rows) else 0))

    def advance(self, ts: int) -> pa.RecordBatch:
        """The events that the passing of time alone brings: what has left, what is due."""
        return self._follow(np.empty((0, ROW_COLUMNS), np.int64), ts)

    def lend(self, loans: Sequence[KnownLoan], ts: int) -> pa.RecordBatch:
        """Loans that no scanner has seen: each patron's card, then what was lent to it."""
        lines = _told(loans, ts)
        return self._writer.batch(lines, np.full(len(lines), np.nan))

    def order(self, bottle: int, ts: int) -> pa.RecordBatch:
        """A dose that is due at once, whatever the times of the catalog say."""
        bands = wristbands(self._scenario.items)  # none where nobody is a patient, whatever was ordered
        patient = str(self._scenario.items["patient"][bottle]) if bands else ""
        line = self._due_line(bands.get(patient, tables.NO_TAG), bottle, ts)
        return self._writer.batch(np.array([line], np.int64), np.full(1, np.nan))

    def state(self) -> pa.RecordBatch:
        """Everything that must be kept, one row per tag or reader that has been heard."""
        heard, began = self._readers[:, tables.HEARD] > 0, self._doors[:, tables.BEGAN] > 0
        claimed = (self._tags[:, tables.CLAIMANTS] != tables.NOWHERE).any(axis=1)
        touched = (self._tags[:, tables.SEEN] > 0) | claimed
        parts = [
            kept("clock", pa.array([""]), self._clock[None, :]),
            kept("reader", self._reader_names, self._readers, heard),
            kept("tag", self._tag_names, self._tags, touched),
            kept("door", self._area_names, self._doors, began),
        ]
        believed = self._believed.state() if self._believed else ()
        return pa.concat_batches([*parts, *self._stock.state(), *believed])

    def restore(self, state: pa.RecordBatch) -> None:
        """Take up where an earlier cleaner has stopped; tags that are no longer known are left out."""
        fill(self._readers, "reader", self._reader_names, state)
        fill(self._tags, "tag", self._tag_names, state)
        fill(self._doors, "door", self._area_names, state)
        fill(self._clock[None, :], "clock", pa.array([""]), state)
        self._stock.restore(state)
        if self._believed:
            self._believed.restore(state, self._floor)

    @property
    def believed(self) -> Believed | None:
        """What is believed and was learned, where whereabouts are followed."""
        return self._believed

    @property
    def began(self) -> int:
        """When the first row of all was; only whereabouts keep it."""
        return int(self._clock[tables.STARTED]) * tables.TICK_MS

    def placed(self) -> Placed:
        """Where every tag is, as far as the log has been read."""
        ways_out = [n for n, area in enumerate(self._scenario.plan.areas) if area.kind in WAYS_OUT]
        believed = self._believed.chances(self._floor) if self._believed else None
        return placed(self._floor, believed, np.array(ways_out, np.int64))

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
        times = readings["ts"].to_numpy()
        if not self._believed:
            kept &= ~((what == tables.HELD) & self._at_doors[pc.fill_null(reader, 0).to_numpy()])
        columns = (
            times,
            pc.fill_null(reader, 0).to_numpy(),
            np.where(strength >= self._scenario.cleaning.floor, named, tables.NO_TAG),
            np.where(clock, _offsets(readings, clock), np.rint(strength * 100)),
            what,
            np.where(what == tables.HELD, pc.fill_null(readings["stamp"], 0).to_numpy(), times),
        )
        rows = np.column_stack([column[kept].astype(np.int64) for column in columns])
        return np.ascontiguousarray(rows[np.argsort(rows[:, 0], kind="stable")])

    def _named(self, codes: pa.Array, what: Table) -> Table:
        """The rows of the catalog that tags and barcodes name; NO_TAG for none."""
        tags, scans = self._tag_codes.rows_of(codes), what == tables.SCAN
        return np.where(scans, self._barcodes.rows_of(codes), tags) if scans.any() else tags

    def _follow(self, rows: Table, until: int) -> pa.RecordBatch:
        loans = self._loans(rows)
        told, doses, done = [(loans, np.full(len(loans), np.nan))], [], 0
        stock: list[StockLine] = []
        looks = ((moment, None) for moment in self._stock.moments(rows, until))
        for moment, dose in merge(self._due(rows, until), looks, key=itemgetter(0)):
            reached = int(np.searchsorted(rows[:, 0], moment, "right"))
            told += self._told(rows[done:reached], moment)
            done = reached
            if dose is None:
                stock += self._stock.look(moment, self._at_home())
            elif moment - self._tags[dose.patient, tables.SEEN] < _DAY_MS:
                doses.append(self._due_line(dose.patient, dose.bottle, moment))
        told += self._told(rows[done:], until)
        lines = np.array(doses, np.int64).reshape(-1, tables.OUTPUT_COLUMNS)
        events = self._events([*told, (lines, np.full(len(lines), np.nan))])
        if not stock:
            return events
        both = pa.concat_batches([events, self._writer.stock(stock)])
        return both.take(pa.array(np.argsort(both["ts"].to_numpy(), kind="stable")))

    def _at_home(self) -> Sure:
        """Of every row of the catalog, how likely it is on its shelf."""
        homes = self._stock.homes
        if self._believed:
            return self._believed.at_home(homes)
        certain: Sure = ((self._tags[:, tables.AREA] == homes) & (homes != tables.NOWHERE)).astype(np.float64)
        return certain

    def _due_line(self, patient: int, bottle: int, moment: int) -> tuple[int, ...]:
        """A dose is due where its patient is, as far as the stays know."""
        area = tables.NOWHERE if patient == tables.NO_TAG else int(self._tags[patient, tables.AREA])
        return (tables.DUE, moment, bottle, area, -1, self._unheard(bottle, moment), tables.IN_TURN)

    def _unheard(self, bottle: int, moment: int) -> int:
        """For how long the bottle has not been read, -1 if it never was: its tag may not answer."""
        seen = int(self._tags[bottle, tables.SEEN])
        return moment - seen if seen else -1

    def _told(self, rows: Table, until: int) -> Iterator[Told]:
        """What the loop tells of these rows, and then of the time that passes."""
        for first in range(0, len(rows), _AT_ONCE):
            some = rows[first : first + _AT_ONCE]
            yield self._loop(some, until if first + _AT_ONCE >= len(rows) else int(some[-1, 0]))
        if not len(rows):
            yield self._loop(rows, until)

    def _loop(self, rows: Table, until: int) -> Told:
        # A row can tell three things at most: its reader lives, its tag left there, its tag is here. A stay
        # ends once and goes through a door once; a tag that is heard no more may still be told to go out.
        room = _LINES * (len(rows) + len(self._tags))
        written = np.zeros(1, np.int64)
        out = np.empty((room, tables.OUTPUT_COLUMNS), np.int64)
        floor = self._floor._replace(out=out, sure=np.empty(room), written=written)
        if self._believed:
            self._believed.follow(rows, floor, until)
        else:
            stays.follow(rows, floor, until)
        count = int(written[0])
        return out[:count].copy(), floor.sure[:count].copy()

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

    def _events(self, told: Sequence[Told]) -> pa.RecordBatch:
        """The loop's lines and the doses due, in order of time; of one second, those that it brings first."""
        lines, sure = (np.concatenate(parts) for parts in zip(*told, strict=True))
        order = np.lexsort((lines[:, tables.ORDER], lines[:, tables.WHEN]))
        return self._writer.batch(lines[order], sure[order])


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
        lines += [(tables.TOLD_LOAN, ts, row, -1, -1, 0, tables.IN_TURN) for row in rows]
    return np.array(lines, np.int64).reshape(-1, tables.OUTPUT_COLUMNS)


def _barcodes(items: pa.Table) -> pa.Array:
    if "barcode" not in items.column_names:
        return pa.nulls(0, pa.string())
    return items.column("barcode").combine_chunks()
