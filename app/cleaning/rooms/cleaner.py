"""What a home's sensors report becomes events: who probably entered and left, motion, water."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.cleaner import Cleaner
from app.cleaning.order import HELD
from app.cleaning.placed import ELSEWHERE, LEFT_THE_PLACE, Placed
from app.cleaning.rooms.keeping import found_bytes, kept_bytes, written
from app.cleaning.rooms.rooms import Rooms, Told
from app.cleaning.rooms.sensed import Listening, Sensed
from app.cleaning.tables import NOWHERE
from app.place.cleaning_settings import STAYS
from app.place.event_types import ALIVE, CLOCK
from app.place.floor_plan import OUTSIDE
from app.place.household import people
from app.place.loans import KnownLoan
from app.place.scenario import Scenario
from sase import belief

_OF_READERS = pa.array([ALIVE, CLOCK])
_OF_PEOPLE = (("entity", pa.string()), ("place", pa.string()), ("room", pa.string()), ("prob", pa.float64()))


class RoomsCleaner:
    """The same to a stream as the cleaner of things, which it asks about the readers themselves."""

    def __init__(self, scenario: Scenario) -> None:
        settled = replace(scenario, cleaning=replace(scenario.cleaning, method=STAYS))
        self._scenario, self._things = scenario, Cleaner(settled)
        self._listening, self._rooms = Listening(scenario), Rooms(scenario)
        self._waiting: list[Sensed] = []
        self._reached = 0
        of_things = [field for field in self._things.schema if field.name != "prob"]
        items = set(scenario.items.column_names)
        own = [field for field in of_things if field.name not in items]
        catalog = [field for field in of_things if field.name in items]
        self.schema = pa.schema([*own, *_OF_PEOPLE, *catalog])
        self._rows = {str(one["id"]): one for one in people(scenario.items)}

    def push(self, readings: pa.RecordBatch, until: int = 0) -> pa.RecordBatch:
        """The events of these rows, and of the time that has passed. What may still be joined by something of
        the same moment waits."""
        self._waiting += self._listening.hear(readings)
        in_time = readings.filter(pc.not_equal(readings["kind"], HELD))
        readers = self._things.push(in_time, until)
        return self._events(readers, list(self._moments(until)))

    def advance(self, ts: int) -> pa.RecordBatch:
        return self._events(self._things.advance(ts), list(self._moments(ts)))

    def lend(self, _loans: Sequence[KnownLoan], _ts: int) -> pa.RecordBatch:
        """Nothing is lent in a home."""
        return pa.RecordBatch.from_pylist([], schema=self.schema)

    def order(self, _bottle: int, _ts: int) -> pa.RecordBatch:
        """Nor are doses ordered there."""
        return pa.RecordBatch.from_pylist([], schema=self.schema)

    @property
    def began(self) -> int:
        """When the first row of all was."""
        return self._things.began

    @property
    def believed(self) -> None:
        """Of things nothing is believed here, and nothing learned."""
        return None

    @property
    def belief(self) -> belief.State:
        """What is believed, as far as the log has been read."""
        return self._rooms.state

    def state(self) -> pa.RecordBatch:
        waiting = {"waiting": [list(one) for one in self._waiting], "reached": self._reached}
        kept = kept_bytes({**self._rooms.parts(), "cleaner": written(waiting)})
        return pa.concat_batches([self._things.state(), kept])

    def restore(self, state: pa.RecordBatch) -> None:
        self._things.restore(state)
        parts = found_bytes(state)
        if parts:
            facts = json.loads(parts["cleaner"])
            self._waiting, self._reached = [Sensed(*one) for one in facts["waiting"]], facts["reached"]
            self._rooms.restore(parts)

    def placed(self) -> Placed:
        """Where everybody is."""
        areas = {area.name: number for number, area in enumerate(self._scenario.plan.areas)}
        readers = {reader.name: number for number, reader in enumerate(self._scenario.plan.readers)}
        tags = self._scenario.items.num_rows
        found = Placed(np.zeros((tags, len(areas) + ELSEWHERE), np.float32), *_columns(tags))
        for who, one in self._rows.items():
            row = one["row"]
            if self.belief.clock is not None:
                for place, share in self.belief.where(who).items():
                    found.chances[row, areas.get(place, len(areas) + LEFT_THE_PLACE)] = share
            place, found.since[row] = self._rooms.told.get(who, (OUTSIDE, 0))
            found.area[row] = areas.get(place, NOWHERE)
            found.seen[row], reader = self._rooms.seen.get(who, (0, ""))
            found.reader[row] = readers.get(reader, 0)
        return found

    def _moments(self, until: int) -> Iterator[Told]:
        """Every moment that is over, in order."""
        due = sorted((one for one in self._waiting if one.ts < until), key=attrgetter("ts"))
        self._waiting = [one for one in self._waiting if one.ts >= until]
        for ts, sensed in groupby(due, attrgetter("ts")):
            if ts >= self._reached:  # what comes later than the stream allows was told apart before
                self._reached = ts
                yield from self._rooms.moment(ts, list(sensed))
        if self.belief.clock is not None:
            yield from self._rooms.until(until)

    def _events(self, readers: pa.RecordBatch, told: list[Told]) -> pa.RecordBatch:
        """In order of time; what belongs to somebody has all that the catalog knows of them."""
        of_readers = readers.filter(pc.is_in(readers["event"], _OF_READERS))
        known = dict(zip(of_readers.schema.names, of_readers.columns, strict=True))
        columns = [
            known.get(field.name, pa.nulls(of_readers.num_rows, field.type)).cast(field.type)
            for field in self.schema
        ]
        first = pa.RecordBatch.from_arrays(columns, schema=self.schema)
        own = pa.RecordBatch.from_pylist([self._named(one) for one in told], schema=self.schema)
        both = pa.concat_batches([first, own])
        return both.take(pa.array(np.argsort(both["ts"].to_numpy(), kind="stable")))

    def _named(self, told: Told) -> dict[str, Any]:
        return {**self._rows.get(str(told.get("entity")), {}), **told}


def _columns(tags: int) -> Iterator[Any]:
    """Area, since, seen and reader, of people of whom nothing is known yet."""
    yield np.full(tags, NOWHERE, np.int64)
    yield from (np.zeros(tags, np.int64) for _ in range(3))
