"""Whether the reader that decides has heard anything of an incident: else no software can see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.place.scenario import Scenario
from simulator.play import Scene
from simulator.truth.incident import Incident
from simulator.worlds.world import MINUTE, SECOND, Column


@dataclass(frozen=True, slots=True)
class _Deciding:
    """Readers in areas of a kind, from so long before the incident to so long after it."""

    kind: str
    before_ms: int
    after_ms: int
    beside_only: bool = False  # whoever it is about need not be read


_AT_CABINET = _Deciding("cabinet", MINUTE, 30 * SECOND)
_AT_DOOR = _Deciding("door", 10 * SECOND, 30 * SECOND)
_ON_FOREIGN_SHELF = _Deciding("shelf", 5 * SECOND, 15 * MINUTE)
# The others have none: a sweep is many items, a silent reader is silence; at a scanner nothing is missed.
DECIDING = {
    "shoplifting": _Deciding("exit", 5 * SECOND, 15 * SECOND),
    "fitting_room_loss": _Deciding("fitting", 10 * MINUTE, 5 * SECOND),
    "impossible": _Deciding("exit", 720 * MINUTE, 0),  # the way out of the item whose number it is
    "misplaced": _ON_FOREIGN_SHELF,
    "misplaced_book": _ON_FOREIGN_SHELF,
    "booklifting": _AT_DOOR,
    "confusion": _AT_DOOR,  # the book, and both cards
    "over_limit": replace(_AT_DOOR, beside_only=True),  # card and book, of a loan that only the door has seen
    "overdose": _AT_CABINET,
    "drug_interaction": _AT_CABINET,
    "wrong_patient": _AT_CABINET,
    "missed_dose": _Deciding("bed", 1440 * MINUTE, 0),
}


class _Readings(NamedTuple):
    ts: Column
    tag: Column
    reader: Column


class DecidingReads:
    """Takes a play's reports; then `heard` says of each incident whether its reader heard its tag at all."""

    def __init__(self, scenario: Scenario) -> None:
        plan, items = scenario.plan, scenario.items
        self._readers = pa.array([reader.name for reader in plan.readers])
        self._kinds = np.array([plan.area(reader.area).kind for reader in plan.readers])
        self._areas = np.array([reader.area for reader in plan.readers])
        self._tags = items.column("tag").combine_chunks()
        self._rows = {name: items.column(name).to_pylist() for name in items.column_names}
        homes = self._rows.get("home", [""] * items.num_rows)
        self._homes = np.array([home or "" for home in homes])
        self._row = {code: number for number, code in enumerate(self._rows["id"])}
        self._kept: list[_Readings] = []

    def events(self, events: pa.RecordBatch) -> None:
        """What was made of the readings does not matter here."""

    def scene(self, scene: Scene) -> None:
        reports = scene.reports
        read = reports.filter(pc.equal(reports["kind"], "reading"))
        reader = pc.index_in(read["reader"], value_set=self._readers).to_numpy()
        decides = np.isin(self._kinds, [one.kind for one in DECIDING.values()])[reader]
        read, reader = read.filter(pa.array(decides)), reader[decides]
        tag = pc.fill_null(pc.index_in(read["tag"], value_set=self._tags), 0).to_numpy()
        at_home = (self._kinds[reader] == "shelf") & (self._areas[reader] == self._homes[tag])
        kept = ~at_home
        self._kept.append(_Readings(read["ts"].to_numpy()[kept], tag[kept], reader[kept]))

    def heard(self, incident: Incident) -> bool:
        """True also where no reader decides."""
        decides = DECIDING.get(incident.detector)
        row = self._about(incident)
        if decides is None or row is None:
            return True
        beside = [self._row[name] for name in incident.beside]
        rows = beside if decides.beside_only else [row, *beside]
        return all(self._was_read(each, incident.ts, decides) for each in rows)

    def _was_read(self, row: int, ts: int, decides: _Deciding) -> bool:
        low, high = ts - decides.before_ms, ts + decides.after_ms
        return any(
            bool(
                (
                    (part.tag == row)
                    & (part.ts >= low)
                    & (part.ts <= high)
                    & (self._kinds[part.reader] == decides.kind)
                ).any()
            )
            for part in self._kept
        )

    def _about(self, incident: Incident) -> int | None:
        """The row of the tag that must be heard: the item's own, or the patient's wristband."""
        row = self._row.get(incident.subject)
        if "patient" not in self._rows:
            return row
        patient = incident.subject if row is None else self._rows["patient"][row]
        people = zip(self._rows["kind"], self._rows["patient"], strict=True)
        return next((number for number, one in enumerate(people) if one == ("patient", patient)), None)
