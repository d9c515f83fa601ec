"""Follows the log beside Spark and keeps what the pages show: readers, whereabouts, counts, dead letters."""

from __future__ import annotations

import hashlib
import json
import threading
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import sqlalchemy as sa

from app import log, store
from app.cleaning.rebuild import stream_at
from app.cleaning.setup import CleaningSetup
from app.clock import monotonic_s, now_ms
from app.ingest import dead_letters
from app.ingest.reader_health import ACTIVE, HEALTH, SILENT
from app.log.row import SENSED
from app.place.catalog import known_codes
from app.place.event_types import ENTERED
from app.place.scenario import Scenario
from app.running.lateness import Lateness
from app.running.put_right import PutRight
from app.running.watching import Watching, statuses
from app.store import Aside, Position, ReaderState, Silence
from app.store.counters import add_to, set_to
from app.whereabouts.findings import in_words
from app.whereabouts.written import WrittenWhereabouts

FOLLOWED, LETTERS = "watched", "letters"
REMEMBERED = 10_000
_NAMELESS = pa.array(["motion", "guess", "leak"])  # what is sensed without a tag


@dataclass(frozen=True)
class Asked:
    """A switch that stands in the log at a position."""

    position: int
    detector: str
    revision: int


class LogFollower:
    """Its position is kept in the store with what was learned up to it: everything counts once."""

    def __init__(
        self,
        engine: sa.Engine,
        scenario: Scenario,
        setup: CleaningSetup,
        heartbeat_ms: int = 0,
        *,
        simulated: bool = False,
    ) -> None:
        self._engine, self._scenario, self._setup = engine, scenario, setup
        self._simulated = simulated  # a simulation plays, whose world begins with the log
        self.heartbeat_ms = heartbeat_ms  # how often ingest says that it listens; 0: never
        self._lock = threading.Lock()
        self._areas = {reader.name: reader.area for reader in scenario.plan.readers}
        self._learn_items(scenario.items)
        self._near: log.SeekPoint | None = None
        self._received: deque[tuple[int, int]] = deque(maxlen=REMEMBERED)
        self.switches: deque[Asked] = deque(maxlen=REMEMBERED)
        self.put_right = PutRight(engine, monotonic_s)
        self.lateness = Lateness(store.list_held(engine, 0))
        self.behind_ms = 0  # how far the machine's clock is ahead of Vigil's
        self.speed: float | None = None  # of Vigil's clock, if a simulation brings its own
        seen = [one.last_seen_ms for one in store.list_readers(engine) if one.last_seen_ms is not None]
        self.heard_ms = max(seen, default=None)  # when any reader was last heard
        self._load()
        self._introduce_readers()

    def catch_up(self) -> None:
        """Take in everything that is in the log by now."""
        with self._lock:
            if not self._loaded:
                self._load()
            end = log.end(self._setup.log)
            if self.position < end:
                self._near = log.seek_point(self._setup.log, self.position, self._near)
                for batch in log.read(self._setup.log, self.position, end, self._near):
                    self._take(batch)
            self._take_letters()

    def whereabouts(self) -> WrittenWhereabouts:
        """Where everything is, as far as the log was taken in."""
        with self._lock:
            stream, believed, plan = self._stream, self._stream.believed, self._scenario.plan
            found = in_words(plan, believed.rates(), believed.heard()) if believed else ()
            return WrittenWhereabouts(
                stream.placed(),
                stream.now,
                stream.began,
                stream.catalog,
                self._scenario.name,
                stream.learned,
                tuple(found),
            )

    def _learn_items(self, items: pa.Table) -> None:
        """What is known by which code, and its name."""
        self._catalog, self._codes = items, known_codes(items)
        self._items = {row["tag"]: str(row.get("name") or row["id"]) for row in items.to_pylist()}

    def _load(self) -> None:
        """Take up where the store says that it stopped."""
        known = store.totals(self._engine)
        self.position = max(known.get(FOLLOWED, 0), log.earliest(self._setup.log))
        self._letters = known.get(LETTERS, 0)
        self._watching = Watching(
            list(self._areas),
            _open_silences(self._engine),
            self._heard(known),
            self.heartbeat_ms,
            simulated=self._simulated,
        )
        self._stream = stream_at(self._setup, self.position)
        self._loaded = True

    def _heard(self, known: Mapping[str, int]) -> int | None:
        """When the row before came in; None if this is the beginning."""
        before = self.position - 1
        if before >= log.earliest(self._setup.log):
            [batch] = log.read(self._setup.log, before, self.position)
            return int(batch["received"][0].as_py())
        return 0 if FOLLOWED in known else None

    @property
    def arrived_ms(self) -> int | None:
        """When the last row came in, also one that only says that Vigil listens."""
        return self._watching.heard_ms

    def received_at(self, position: int) -> int | None:
        """When the last row before the position came in, as far as that is remembered."""
        remembered = list(self._received)
        found = bisect_left(remembered, (position, 0))
        return remembered[found][1] if found < len(remembered) else None

    def _take(self, rows: pa.RecordBatch) -> None:
        self._loaded = False  # until the store has it: what is in memory runs ahead
        readings = rows.filter(pc.is_in(rows["kind"], pa.array(SENSED)))
        events = self._stream.push(rows)
        if self._stream.items is not self._catalog:
            self._learn_items(self._stream.items)
        late = self._stream.late.filter(pc.is_in(self._stream.late["kind"], pa.array(SENSED)))
        held = self.lateness.count(readings, late)
        reported = list(self._reports(rows))
        silences, delivered = self._watching.silences(rows, late), self._watching.delivered(rows)
        with store.writing(self._engine) as connection:
            for name, count in self._counts(readings).items():
                add_to(connection, name, count)
            store.record_readers(connection, list({reader.reader: reader for reader in reported}.values()))
            self._watch(connection, silences, delivered)
            store.record_held(connection, held)
            store.record_positions(connection, [*_positions(events), *self._late_positions(late)])
            set_to(connection, FOLLOWED, self._stream.position)
        self.position, self._loaded = self._stream.position, True
        self.put_right.take(events)
        self.behind_ms, self.speed = _clock(rows, (self.behind_ms, self.speed))
        heard = rows.filter(pc.not_equal(rows["topic"], ""))
        self.heard_ms = pc.max(heard["received"]).as_py() if heard.num_rows else self.heard_ms
        self._received.append((self.position, int(rows["received"][-1].as_py())))
        self.switches.extend(_switches(rows, self._scenario.name))

    def _counts(self, readings: pa.RecordBatch) -> dict[str, int]:
        """Readings in all, and those that cleaning drops because they are weak or nobody knows their tag."""
        weak = pc.less(pc.fill_null(readings["rssi"], 0.0), self._scenario.cleaning.floor)
        named = pc.or_(pc.is_in(readings["tag"], self._codes), pc.is_in(readings["kind"], _NAMELESS))
        unknown = pc.invert(named)
        return {
            "readings": readings.num_rows,
            "weak": pc.sum(weak).as_py() or 0,
            "unknown": pc.sum(unknown).as_py() or 0,
        }

    def _reports(self, rows: pa.RecordBatch) -> Iterator[ReaderState]:
        """The figures that ingest writes about each reader."""
        for row, detail in statuses(rows):
            if row["topic"] == "" and detail.get("status") in (HEALTH, SILENT, ACTIVE):
                figures = {name: value for name, value in detail.items() if name != "status"}
                share, area = self.lateness.share(row["reader"]), self._areas.get(row["reader"], "")
                yield ReaderState(row["reader"], area, late_share=share, **figures)

    def _watch(
        self, connection: sa.Connection, silences: Sequence[Silence], delivered: Sequence[Silence]
    ) -> None:
        """Who was not watched when, and what alerts prove by that."""
        store.record_silences(connection, silences)
        cut = [store.cut_silences(connection, one) for one in delivered]
        changed = [*(one.from_ms for one in silences), *(since for since in cut if since is not None)]
        if changed:
            store.revise_proofs(connection, min(changed), now_ms())

    def _take_letters(self) -> None:
        """What ingest could not read, for a look inside from the pages."""
        letters = log.beside(self._setup.log, dead_letters.FOLDER)
        start, stop = max(self._letters, log.earliest(letters)), log.end(letters)
        for batch in log.read(letters, start, stop):
            store.record_aside(self._engine, [_letter(row) for row in batch.to_pylist()])
        if stop > start:
            with store.writing(self._engine) as connection:
                set_to(connection, LETTERS, stop)
            self._letters = stop

    def _late_positions(self, late: pa.RecordBatch) -> Iterator[Position]:
        """Where tags were that a reader was sure of, though it told too late for the stream."""
        strong = pc.greater_equal(pc.fill_null(late["rssi"], 0.0), self._scenario.cleaning.floor)
        rows = late.filter(strong).sort_by("ts").to_pylist()
        reads = Counter((row["tag"], row["reader"]) for row in rows)
        for row in rows:
            item, area = self._items.get(row["tag"]), self._areas.get(row["reader"])
            if item and area and reads[row["tag"], row["reader"]] >= self._scenario.cleaning.confirm:
                yield Position(row["tag"], item, area, row["reader"], row["ts"])

    def _introduce_readers(self) -> None:
        """Readers that have never been heard are listed all the same, as silent from the beginning."""
        known = {reader.reader for reader in store.list_readers(self._engine)}
        unheard = [ReaderState(name, area) for name, area in self._areas.items() if name not in known]
        silences = [silence for reader in unheard for silence in self._watching.begin(reader.reader, 0)]
        with store.writing(self._engine) as connection:
            store.record_readers(connection, unheard)
            store.record_silences(connection, silences)


def _open_silences(engine: sa.Engine) -> dict[str, int]:
    everything = store.silences_between(engine, 0, 2**62)
    return {silence.reader: silence.from_ms for silence in everything if silence.until_ms is None}


def _positions(events: pa.RecordBatch) -> Iterator[Position]:
    """Every time a tag was seen somewhere, in order."""
    told = pc.or_(pc.ends_with(events["event"], "-READING"), pc.ends_with(events["event"], "-SCAN"))
    told = pc.or_(told, pc.equal(events["event"], ENTERED))
    seen = events.filter(pc.and_(told, pc.is_valid(events["event_id"])))
    for row in seen.to_pylist():
        if row["tag"] and row["area"]:
            name = str(row.get("name") or row["id"])
            yield Position(row["tag"], name, row["area"], row["reader"] or "", row["ts"])


def _switches(rows: pa.RecordBatch, scenario: str) -> Iterator[Asked]:
    for row in rows.filter(pc.equal(rows["kind"], "control")).to_pylist():
        asked = json.loads(row["detail"] or "{}")
        if isinstance(asked, dict) and asked.get("scenario") == scenario and "revision" in asked:
            yield Asked(row["position"], str(asked.get("detector")), int(asked["revision"]))


def _clock(rows: pa.RecordBatch, known: tuple[int, float | None]) -> tuple[int, float | None]:
    """How far Vigil's clock is behind and how fast it goes, as the last heartbeat says."""
    beats = rows.filter(pc.and_(pc.equal(rows["kind"], "heartbeat"), pc.is_valid(rows["detail"])))
    if not beats.num_rows:
        return known
    said = json.loads(beats["detail"][-1].as_py())
    return int(said["behind_ms"]), said.get("speed")


def _letter(row: Mapping[str, Any]) -> Aside:
    name = hashlib.sha256(f"{row['position']}@{row['received']}".encode()).hexdigest()[:32]
    payload = row["payload"][:4096].decode("utf-8", "backslashreplace").replace("\0", "\\x00")
    return Aside(name, "dead", row["received"], row["topic"], row["reason"], payload)
