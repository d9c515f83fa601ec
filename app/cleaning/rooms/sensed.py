"""Rows of the log as what a home's sensors say: sightings, signs of life, water."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.order import HELD
from app.place.household import people
from app.place.scenario import Scenario

_HEARD = pa.array(["reading", "motion", "guess", "leak", "status", HELD])
_STILL_MS = 90_000  # who was read so long before the reading came is most likely still there


class Sensed(NamedTuple):
    """`said`: what a camera guesses or where a move went; `who`: whose badge it is."""

    ts: int
    kind: str
    reader: str
    who: str | None
    said: dict[str, Any]


class Listening:
    """Knows the place's readers and badges; what is weak, of others or unreadable is left out."""

    def __init__(self, scenario: Scenario) -> None:
        self._floor = scenario.cleaning.floor
        self._badges = {str(one["tag"]): str(one["id"]) for one in people(scenario.items)}
        self._names = frozenset(self._badges.values())
        self._readers = {reader.name: reader for reader in scenario.plan.readers}
        self._known = pa.array(list(self._readers), pa.string())

    def hear(self, rows: pa.RecordBatch) -> Iterator[Sensed]:
        ours = pc.and_(pc.is_in(rows["kind"], _HEARD), pc.is_in(rows["reader"], self._known))
        chosen = rows.filter(ours).select(["ts", "kind", "reader", "tag", "rssi", "detail", "stamp"])
        for row in chosen.to_pylist():
            if (heard := self._sensed(row)) is not None:
                yield heard

    def _sensed(self, row: dict[str, Any]) -> Sensed | None:
        kind, reader = row["kind"], self._readers[row["reader"]]
        who, said = None, json.loads(row["detail"]) if row["detail"] else {}
        if kind == HELD:
            if row["ts"] - row["stamp"] > _STILL_MS:
                return None
            kind = "reading"
        if kind == "status" and said.get("status") == "offline":
            return None
        if kind == "reading":
            who = self._badges.get(row["tag"])
            if reader.sensor != "rfid" or who is None or (row["rssi"] or 0.0) < self._floor:
                kind = "status"  # it says nothing but that its reader works
        elif kind == "motion" and (
            not reader.between or said.get("to", reader.between[0]) not in reader.between
        ):
            return None
        elif kind == "guess":
            said = {"entities": {name: p for name, p in said["entities"].items() if name in self._names}}
            if reader.sensor != "camera":
                return None
        return Sensed(row["ts"], kind, reader.name, who, said)
