"""The rules of a place and the empty tables, from its floor plan."""

from __future__ import annotations

from math import dist

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.tables import Table
from app.cleaning.whereabouts import kinds
from app.cleaning.whereabouts.company import ALONE_AT_FIRST, TRIPS_AT_FIRST
from app.cleaning.whereabouts.kinds import MODELS, PHASES, SLOW, WAY_OUT, KindModel
from app.cleaning.whereabouts.learning import NEAR_TRIPS, STRAY_SECONDS
from app.cleaning.whereabouts.tables import (
    KNOWN_COLUMNS,
    LONGEST_STEP,
    RING,
    STRENGTHS,
    THROUGH_GATE,
    UNSETTLED,
    WEAKEST,
    WHEEL,
    Learned,
    PlaceRules,
    Rates,
    Senses,
    Shares,
    Whereabouts,
)
from app.cleaning.whereabouts.tables import SETTLED as SETTLED_COLUMN
from app.place.catalog import is_person
from app.place.floor_plan import Area, FloorPlan, Reader
from app.place.scenario import Scenario

_OWN, _OVERHEARD = (-52.0, 4.0), (-64.0, 5.0)  # dBm and scale, with heavy tails
_CLIP = 1.2
_QUIET_AT_FIRST = 15_000.0
_OUT_LATE, _OUT_BLIND = 0.985, 0.9
_SETTLED = 0.9999


def empty(scenario: Scenario) -> Whereabouts:
    plan, tags = scenario.plan, scenario.items.num_rows
    rules = rules_of(scenario)
    areas, gates, states = len(plan.areas), len(rules.gate_area), len(rules.enter)
    known = np.zeros((tags, KNOWN_COLUMNS), np.int64)
    known[:, SETTLED_COLUMN] = UNSETTLED
    links = np.tile(np.arange(tags + WHEEL, dtype=np.int32), (2, 1))
    return Whereabouts(
        known,
        np.zeros((tags, states), np.float32),
        np.zeros((tags, states), np.float32),
        np.zeros((tags, gates), np.uint8),
        np.zeros((gates, 1 + 3 * RING), np.int64),
        links,
        rules,
        _nothing_learned(plan),
        Senses(
            np.zeros(len(plan.readers), np.uint8),
            np.zeros(areas, np.float32),
            np.zeros(areas, np.float32),
            np.zeros(1, np.float32),
            np.zeros((len(plan.readers), areas), np.float32),
            np.zeros(gates, np.float32),
            np.zeros(areas, np.float32),
        ),
    )


def rules_of(scenario: Scenario) -> PlaceRules:
    plan, settings = scenario.plan, scenario.cleaning
    models = [MODELS[area.kind] for area in plan.areas]
    ways_out = [number for number, model in enumerate(models) if model.pace == WAY_OUT]
    sizes = [PHASES + (1 + len(ways_out) if model.pace == SLOW else 0) for model in models]
    start = np.concatenate([[0], np.cumsum(sizes)])
    states = int(start[-1]) + 3
    enter, leaving, first = (np.zeros(states) for _ in range(3))
    weights = _weights(models)
    lying = [model.weight if model.pace == SLOW else 0.0 for model in models]
    for at, model, weight, lies in zip(start, models, weights, lying, strict=False):
        enter[at : at + PHASES] = weight * np.array(model.begins)
        leaving[at : at + PHASES] = model.leaving
        if model.pace == SLOW:
            leaving[at + PHASES] = model.leaving[-1]
            first[at + PHASES - 1] = 0.985 * lies / max(sum(lying), 1e-9)
    first += 0.005 * enter
    first[-3], first[-2] = 0.01, 0.03
    seconds = np.arange(LONGEST_STEP + 1)[:, None]
    return PlaceRules(
        start=start[:-1].astype(np.int64),
        start_after=start[1:].astype(np.int64),
        pace=np.array([model.pace for model in models], np.int64),
        gate=np.array([ways_out.index(n) if n in ways_out else -1 for n in range(len(models))], np.int64),
        gate_area=np.array(ways_out, np.int64),
        heard=_among(plan, plan.areas_with("rfid")),
        watched=_among(plan, plan.doors),
        leaving=_single(leaving),
        enter=_single(enter),
        slow=_slow(seconds),
        reads=_single([model.reads for model in models]),
        passing=_single([_passing(plan, reader) for reader in plan.readers]),
        first=_single(first / first.sum()),
        strength=_strengths(),
        period=np.array([reader.every_ms for reader in plan.readers], np.int64),
        signs=np.array([reader.name not in plan.without_sign() for reader in plan.readers], np.uint8),
        product=_products(scenario.items),
        person=is_person(scenario.items).to_numpy().astype(np.uint8),
        settled=_SETTLED,
        sure=settings.sure,
        paid=settings.paid,
        out=settings.out,
        out_late=max(settings.out, _OUT_LATE),
        out_blind=min(settings.out, _OUT_BLIND),
        wait=settings.wait_ms,
    )


def _among(plan: FloorPlan, chosen: tuple[Area, ...]) -> npt.NDArray[np.uint8]:
    return np.array([area in chosen for area in plan.areas], np.uint8)


def _products(items: pa.Table) -> Table:
    """Numbers; what belongs to none is alone."""
    if "product" not in items.column_names:
        return np.arange(items.num_rows)
    products = items.column("product").combine_chunks().dictionary_encode().indices
    return np.asarray(pc.fill_null(products, -1), np.int64)


def _single(values: object) -> Shares:
    return np.asarray(values, np.float32)


def _weights(models: list[KindModel]) -> Rates:
    """The share of each area in all that is laid down or taken somewhere."""
    alike = [models.count(model) for model in models]
    shares = np.array([model.weight / count for model, count in zip(models, alike, strict=True)])
    total: Rates = shares / shares.sum()
    return total


def _slow(seconds: Table) -> Shares:
    hidden, shown = (-np.expm1(-rate * seconds) for rate in (kinds.HIDING, kinds.SHOWING))
    return _single(np.hstack([hidden, shown]))


def _passing(plan: FloorPlan, reader: Reader) -> float:
    if reader.sensor != "rfid":
        return 0.0
    model = MODELS[plan.area(reader.area).kind]
    return kinds.AT_TILL if model.reads else kinds.IN_PASSING


def _strengths() -> Shares:
    """Own over overheard: halved, because the reads of a tag are not independent, and clipped."""
    dbm: Rates = np.arange(STRENGTHS, dtype=np.float64) + WEAKEST
    own, overheard = (_tailed(dbm, *shape) for shape in (_OWN, _OVERHEARD))
    return _single(np.exp(np.clip((np.log(own) - np.log(overheard)) / 2, -_CLIP, _CLIP)))


def _tailed(values: Rates, middle: float, scale: float) -> Rates:
    """Student's t with three degrees of freedom, but for a factor."""
    density: Rates = (1 + ((values - middle) / scale) ** 2 / 3) ** -2 / scale
    return density


def _nothing_learned(plan: FloorPlan) -> Learned:
    """Guesses, each worth some time of looking."""
    names = [area.name for area in plan.areas]
    strays = np.full((len(plan.readers), len(names)), kinds.FAR_STRAY)
    index = {reader.name: number for number, reader in enumerate(plan.readers)}
    for reader in plan.readers:
        near = plan.neighbours(reader)
        for other in near:
            rate = kinds.STRAY * 1000 / reader.every_ms / len(near)
            strays[index[other.name], names.index(reader.area)] = rate
    return Learned(
        strays * STRAY_SECONDS,
        np.full(len(names), STRAY_SECONDS),
        _round_trips(plan),
        np.full(len(plan.readers), _QUIET_AT_FIRST),
        np.zeros(len(names), np.int64),
        np.tile([ALONE_AT_FIRST, TRIPS_AT_FIRST], (len(_ways_out(plan)), 1)),
    )


def _ways_out(plan: FloorPlan) -> list[Area]:
    return [area for area in plan.areas if MODELS[area.kind].pace == WAY_OUT]


def _round_trips(plan: FloorPlan) -> Rates:
    """Of an area by each gate, in TRIP_HOURS: what lies nearest is the likeliest to be heard there."""
    gates = _ways_out(plan)
    slow = [number for number, area in enumerate(plan.areas) if MODELS[area.kind].pace == SLOW]
    trips = np.ones((len(plan.areas), len(gates)))
    for number, gate in enumerate(gates):
        if slow:
            nearest = min(slow, key=lambda area: dist(plan.areas[area].centre, gate.centre))
            trips[nearest, number] = NEAR_TRIPS
    return trips


assert THROUGH_GATE == PHASES + 1
