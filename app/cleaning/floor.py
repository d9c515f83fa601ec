"""The tables with which the cleaning loop begins: nothing heard yet, and the settings of the place."""

from __future__ import annotations

import numpy as np

from app.cleaning import tables
from app.cleaning.tables import Floor, Table
from app.place.floor_plan import SIDES
from app.place.scenario import Scenario

_SIDES = ("", *SIDES)  # in the order of the loop's NEITHER, INSIDE, OUTSIDE


def empty_floor(scenario: Scenario) -> Floor:
    plan, cleaning = scenario.plan, scenario.cleaning
    names = [area.name for area in plan.areas]
    tags = np.zeros((scenario.items.num_rows, tables.TAG_COLUMNS), np.int64)
    tags[:, [tables.AREA, *tables.CLAIMANTS]] = tables.NOWHERE
    return Floor(
        tags=tags,
        readers=np.zeros((len(plan.readers), tables.READER_COLUMNS), np.int64),
        doors=np.zeros((len(plan.areas), tables.DOOR_COLUMNS), np.int64),
        clock=np.zeros(tables.CLOCK_CELLS, np.int64),
        reader_area=np.array([names.index(reader.area) for reader in plan.readers], np.int64),
        reader_side=np.array([_SIDES.index(reader.side) for reader in plan.readers], np.int64),
        areas=_settings(scenario),
        confirm=cleaning.confirm,
        margin=round(cleaning.margin * 100),
        alive_every=cleaning.alive_ms,
        passage=cleaning.passage_ms,
        out=np.empty((0, tables.OUTPUT_COLUMNS), np.int64),
        sure=np.empty(0),
        written=np.zeros(1, np.int64),
    )


def _settings(scenario: Scenario) -> Table:
    """The areas' rows for the kernel: times follow the slowest reader of the area that polls."""
    rows = []
    for area in scenario.plan.areas:
        polling = scenario.plan.with_sensor("rfid")
        periods = [reader.every_ms for reader in polling if reader.area == area.name]
        period = max(periods, default=1000)
        forget = period * scenario.cleaning.forget
        rows.append((forget, max(period * 5 // 2, 2000), scenario.cleaning.refresh(area.kind)))
    return np.array(rows, np.int64)
