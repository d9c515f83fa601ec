"""What a place has taught, by the names of its readers and areas: to be kept, taken over and told."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cleaning.whereabouts.kinds import SHORT, WAY_OUT
from app.cleaning.whereabouts.learning import STRAY_SECONDS, TRIP_HOURS
from app.cleaning.whereabouts.tables import FIRST, HITS, POLLS, SETTLED, Learned, Rates, Whereabouts
from app.place.floor_plan import FloorPlan

Named = dict[str, float]
_OFTEN_POLLED = 30  # polls after which a tag's own read rate says something
_HARDLY = 0.3  # read rate of a tag that hardly answers


@dataclass(frozen=True)
class PlaceRates:
    """Counts and times as the tables of `Learned` have them."""

    strays: dict[str, Named]  # by reader and area
    exposed: Named  # by area: seconds that things lay there
    round_trips: dict[str, Named]  # by area and way out
    longest: Named  # by reader
    alone: dict[str, list[float]]  # by way out


@dataclass(frozen=True)
class HeardShares:
    """How what lies somewhere now is heard."""

    lying: dict[str, int]  # by area
    through: dict[str, dict[str, int]]  # by area and way out: of those, how many were ever heard through it
    reads: Named  # by area: the share of polls that read a thing that lies there
    hardly: dict[str, int]  # by area: things that hardly answer


def rates_of(plan: FloorPlan, here: Whereabouts) -> PlaceRates:
    learned = here.learned
    areas, readers, gates = _names(plan, here)
    return PlaceRates(
        {reader: _named(areas, row) for reader, row in zip(readers, learned.strays, strict=True)},
        _named(areas, learned.exposed),
        {area: _named(gates, row) for area, row in zip(areas, learned.round_trips, strict=True)},
        _named(readers, learned.longest),
        {gate: [float(cell) for cell in row] for gate, row in zip(gates, learned.alone, strict=True)},
    )


def take_over(plan: FloorPlan, here: Whereabouts, rates: PlaceRates) -> None:
    """These instead of what was learned so far; a reader or area that they do not know keeps its own."""
    learned: Learned = here.learned
    areas, readers, gates = _names(plan, here)
    _fill(learned.exposed, areas, rates.exposed)
    _fill(learned.longest, readers, rates.longest)
    for row, reader in zip(learned.strays, readers, strict=True):
        _fill(row, areas, rates.strays.get(reader, {}))
    for row, area in zip(learned.round_trips, areas, strict=True):
        _fill(row, gates, rates.round_trips.get(area, {}))
    for row, gate in zip(learned.alone, gates, strict=True):
        row[:] = rates.alone.get(gate, list(row))


def weakened(plan: FloorPlan, here: Whereabouts) -> None:
    """What was learned becomes a first guess, worth as little as any: to look at the same stretch again."""
    learned, rules = here.learned, here.rules
    hours = learned.exposed / 3600.0
    learned.round_trips[:] *= ((TRIP_HOURS + STRAY_SECONDS / 3600.0) / (TRIP_HOURS + hours))[:, None]
    areas = [area.name for area in plan.areas]
    for at, reader in enumerate(plan.readers):
        if rules.pace[areas.index(reader.area)] not in (SHORT, WAY_OUT):
            learned.strays[at] *= STRAY_SECONDS / learned.exposed
    learned.exposed[:] = STRAY_SECONDS


def heard_of(plan: FloorPlan, here: Whereabouts) -> HeardShares:
    areas, _, gates = _names(plan, here)
    settled, known = here.known[:, SETTLED], here.known
    lying = [np.flatnonzero((settled == number) & (known[:, FIRST] > 0)) for number in range(len(areas))]
    rates = [_own_rates(here, rows) for rows in lying]
    return HeardShares(
        {area: len(rows) for area, rows in zip(areas, lying, strict=True)},
        {
            area: {gate: int((here.trips[rows, at] > 0).sum()) for at, gate in enumerate(gates)}
            for area, rows in zip(areas, lying, strict=True)
        },
        {area: float(each.mean()) for area, each in zip(areas, rates, strict=True) if len(each)},
        {area: int((each < _HARDLY).sum()) for area, each in zip(areas, rates, strict=True)},
    )


def _own_rates(here: Whereabouts, rows: np.ndarray) -> Rates:
    polls = here.known[rows, POLLS]
    often = rows[polls >= _OFTEN_POLLED]
    shares: Rates = here.known[often, HITS] / here.known[often, POLLS]
    return shares


def _names(plan: FloorPlan, here: Whereabouts) -> tuple[list[str], list[str], list[str]]:
    areas = [area.name for area in plan.areas]
    return areas, [reader.name for reader in plan.readers], [areas[at] for at in here.rules.gate_area]


def _named(names: list[str], values: Rates) -> Named:
    return {name: float(value) for name, value in zip(names, values, strict=True)}


def _fill(row: Rates, names: list[str], values: Named) -> None:
    for at, name in enumerate(names):
        row[at] = values.get(name, row[at])
