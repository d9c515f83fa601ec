"""From rows of the log to the stream that is matched: ordered, cleaned, numbered, with changes and time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.catalogs import first, load
from app.cleaning.choice import cleaner_of
from app.cleaning.controls import CATALOG, LEARNED, booked_loan, counts_from_here, ordered_dose, query_change
from app.cleaning.learned import load as load_version
from app.cleaning.order import Order
from app.cleaning.placed import Placed
from app.cleaning.whereabouts.keeping import Believed
from app.log.by_position import fitted
from app.log.row import ROW_SCHEMA, SENSED
from app.place.event_types import ALIVE
from app.place.scenario import Scenario, with_items

HEARTBEAT = "HEARTBEAT"
LATE = "LATE-READING"
CONTROL = "CONTROL"
HELD_MS = 20_000  # what arrives so long after it was read was held back: told in one line, not one by one
_FROM_READERS = pa.array([*SENSED, "status"])
_IN_ORDER = pa.array([*SENSED, "clock", "heartbeat"])


def schema(scenario: Scenario) -> pa.Schema:
    """Cleaned events with an id that stays, their number in the stream, and the text of a control row."""
    extra = [("event_id", pa.string()), ("seq", pa.int64()), ("control", pa.string())]
    return pa.schema([*cleaner_of(scenario).schema, *extra])


@dataclass(frozen=True)
class CleaningSnapshot:
    """Everything that a cleaned stream must remember."""

    position: int
    clock: int
    number: int
    held: pa.RecordBatch
    cleaner: pa.RecordBatch
    catalog: str = ""
    learned: str = ""


class CleanedStream:
    """A deterministic function of the log: its state can be kept, or rebuilt by reading the log again."""

    def __init__(
        self,
        scenario: Scenario,
        lateness_ms: int,
        catalogs: Path | None = None,
        learned: Path | None = None,
    ) -> None:
        self._scenario, self._catalogs, self._versions = scenario, catalogs, learned
        self._order = Order(ROW_SCHEMA, lateness_ms, keeps_late=True)
        self._cleaner = cleaner_of(scenario)
        self._number = 0
        self.position = 0
        self.late = self._order.held  # what came too late among the rows last pushed
        self.schema = schema(scenario)
        self._without_sign = pa.array(sorted(scenario.plan.without_sign()), pa.string())
        self._catalog = self._learned = ""
        if catalogs is not None and (name := first(catalogs)) is not None:
            self._take_over(name)

    @property
    def items(self) -> pa.Table:
        """The catalog as it stands at this place of the log."""
        return self._scenario.items

    @property
    def now(self) -> int:
        """How far event time has come."""
        return self._order.now

    @property
    def catalog(self) -> str:
        """Its name, where the log has named one."""
        return self._catalog

    @property
    def learned(self) -> str:
        """The version of what was learned that the log has named last; empty for none."""
        return self._learned

    @property
    def believed(self) -> Believed | None:
        """What is believed and was learned, where whereabouts are followed."""
        return self._cleaner.believed

    @property
    def began(self) -> int:
        """When the first row of all was, 0 if that is not known."""
        return self._cleaner.began

    def placed(self) -> Placed:
        """Where every item of the catalog is."""
        return self._cleaner.placed()

    def push(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """What these rows of the log bring about; the last line says how far time has come."""
        told, late = [], []
        for part, kind, name in self._between_changes(rows):
            told.append(self._push(part))
            late.append(self.late)
            if kind == CATALOG:
                self._take_over(name)
            elif kind == LEARNED:
                self._learn(name)
        self.late = pa.concat_batches(late)
        return pa.concat_batches(told)

    def _between_changes(self, rows: pa.RecordBatch) -> Iterator[tuple[pa.RecordBatch, str, str]]:
        """The rows, cut where a new catalog or a version of what was learned stands, with its name: however
        Spark cuts the log."""
        start = 0
        for index in np.flatnonzero(pc.equal(rows["kind"], "control").to_numpy(zero_copy_only=False)):
            change = counts_from_here(self._scenario.name, rows["detail"][int(index)].as_py() or "")
            if change is not None:
                yield rows.slice(start, int(index) + 1 - start), *change
                start = int(index) + 1
        if start < rows.num_rows:
            yield rows.slice(start), "", ""

    def _take_over(self, name: str) -> None:
        """From here on tags are named by another catalog; what is known of those that stay is kept."""
        items = None if self._catalogs is None else load(self._catalogs, name, self._scenario.items.schema)
        if items is not None:
            state = self._cleaner.state()
            self._scenario, self._catalog = with_items(self._scenario, items), name
            self._cleaner = cleaner_of(self._scenario)
            self._cleaner.restore(state)

    def _learn(self, name: str) -> None:
        """From here on other rates count; what is believed of each tag is kept."""
        believed = self._cleaner.believed
        version = load_version(self._versions, name) if self._versions and believed else None
        if version is not None and believed is not None:
            believed.take_over(version.rates)
            self._learned = name

    def _push(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        self.position = int(rows["position"][-1].as_py()) + 1
        controls = rows.filter(pc.equal(rows["kind"], "control"))
        timed = rows_in_order(rows)
        booked = self._booked(controls, timed)
        ordered, late = self._order.push(timed)
        cleaned = self._known_to_live(_in_time([self._cleaner.push(ordered, self._order.now), *booked]))
        self.late = late.filter(pc.is_in(late["kind"], _FROM_READERS))
        held = pc.greater(pc.subtract(self.late["received"], self.late["ts"]), HELD_MS)
        return self._stream(controls, cleaned, self.late.filter(pc.invert(held)))

    def time(self) -> pa.RecordBatch:
        """The line that says how far time has come."""
        return self._lines(HEARTBEAT, [self._order.now], None)

    def advance(self, ts: int) -> pa.RecordBatch:
        """Time has reached `ts` although no row says so: before heartbeats stood in the log."""
        return self._passed(self._order.advance(ts))

    def finish(self) -> pa.RecordBatch:
        """The recording ends here."""
        return self._passed(self._order.finish())

    def snapshot(self) -> CleaningSnapshot:
        order = self._order
        state = self._cleaner.state()
        named = (self._catalog, self._learned)
        return CleaningSnapshot(self.position, order.clock, self._number, order.held, state, *named)

    def restore(self, kept: CleaningSnapshot) -> None:
        if kept.catalog and kept.catalog != self._catalog:
            self._take_over(kept.catalog)
        self.position, self._number, self._learned = kept.position, kept.number, kept.learned
        self._order.clock, self._order.held = kept.clock, fitted(kept.held, ROW_SCHEMA)
        self._cleaner.restore(kept.cleaner)

    def _passed(self, ordered: pa.RecordBatch) -> pa.RecordBatch:
        nobody = self._order.held.slice(0, 0)
        cleaned = self._known_to_live(self._cleaner.push(ordered, self._order.now))
        return self._stream(nobody, cleaned, nobody)

    def _known_to_live(self, cleaned: pa.RecordBatch) -> pa.RecordBatch:
        """A reader that gives no sign while it reads nothing cannot fall silent: none says that it lives."""
        if len(self._without_sign) == 0:
            return cleaned
        unsaid = pc.and_(
            pc.equal(cleaned["event"], ALIVE), pc.is_in(cleaned["reader"], value_set=self._without_sign)
        )
        return cleaned.filter(pc.invert(pc.fill_null(unsaid, False)))

    def _stream(
        self, controls: pa.RecordBatch, cleaned: pa.RecordBatch, late: pa.RecordBatch
    ) -> pa.RecordBatch:
        now, changes = self._order.now, self._changes(controls)
        parts = [
            self._lines(CONTROL, [now] * len(changes), changes),
            self._numbered(cleaned),
            self._lines(LATE, late["ts"].to_pylist(), None, late),
            self._lines(HEARTBEAT, [now], None),
        ]
        return pa.concat_batches(parts)

    def _numbered(self, cleaned: pa.RecordBatch) -> pa.RecordBatch:
        """An event's name is what happened, when, to whom and where: the same in every replay."""
        first, self._number = self._number, self._number + cleaned.num_rows
        parts = [cleaned[name].cast(pa.string()) for name in ("event", "ts", "tag", "area", "reader")]
        names = pc.binary_join_element_wise(*parts, "@", null_handling="replace", null_replacement="")
        if "product" in cleaned.schema.names:  # of one moment, several products and limits
            about = (names, cleaned["product"].cast(pa.string()), cleaned["below"].cast(pa.string()))
            names = pc.coalesce(pc.binary_join_element_wise(*about, "@"), names)
        numbers = pa.array(range(first, self._number), pa.int64())
        nulls = pa.nulls(cleaned.num_rows, pa.string())
        return pa.RecordBatch.from_arrays([*cleaned.columns, names, numbers, nulls], schema=self.schema)

    def _lines(
        self, event: str, times: list[int], controls: list[str] | None, source: pa.RecordBatch | None = None
    ) -> pa.RecordBatch:
        """Rows that are no cleaned events: all but their type, time, text and origin is empty."""
        given = {
            "event": pa.array([event] * len(times), pa.string()),
            "ts": pa.array(times, pa.int64()),
            "control": pa.array(controls, pa.string()) if controls is not None else None,
            "tag": source["tag"] if source is not None else None,
            "reader": source["reader"] if source is not None else None,
        }
        columns = [
            found if (found := given.get(field.name)) is not None else pa.nulls(len(times), field.type)
            for field in self.schema
        ]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def _changes(self, controls: pa.RecordBatch) -> list[str]:
        texts = controls["detail"].to_pylist()
        changes = (query_change(self._scenario.name, text or "") for text in texts)
        return [change for change in changes if change is not None]

    def _booked(self, controls: pa.RecordBatch, timed: pa.RecordBatch) -> list[pa.RecordBatch]:
        """Each loan, and each dose that was ordered, at the time to which the log had come where it stands,
        whatever follows in the batch."""
        told = []
        for control in controls.to_pylist():
            text = control["detail"] or ""
            loan, dose = booked_loan(self._scenario, text), ordered_dose(self._scenario, text)
            before = timed.filter(pc.less(timed["position"], control["position"]))
            if loan is not None:
                told.append(self._cleaner.lend([loan], self._order.now_after(before)))
            if dose is not None:
                told.append(self._cleaner.order(dose, self._order.now_after(before)))
        return told


def _in_time(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """Of one moment, the first batch's events come first."""
    events = pa.concat_batches(batches)
    return (
        events.take(pa.array(np.argsort(events["ts"].to_numpy(), kind="stable"))) if batches[1:] else events
    )


def rows_in_order(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Readings, what readers say themselves, their clocks, and heartbeats: what else ingest remarks is told
    by its clock, not in their order."""
    told = pc.and_(pc.equal(rows["kind"], "status"), pc.not_equal(rows["topic"], ""))
    return rows.filter(pc.or_(pc.is_in(rows["kind"], _IN_ORDER), told))
