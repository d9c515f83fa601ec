"""A place and all that is known of it: plan, readers, catalog, cleaning, detectors on, simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import pyarrow as pa
import pyarrow.compute as pc

import detectors
from app.place import catalog, floor_plan, household, simulation
from app.place.catalog import is_person
from app.place.cleaning_settings import BELIEVED_KINDS, WHEREABOUTS, CleaningSettings
from app.place.columns_read import check_columns
from app.place.declared_constraints import as_long_as_declared, check_possible, declared_constraints
from app.place.doses import Dose, doses
from app.place.event_types import check_kinds, check_types
from app.place.floor_plan import FloorPlan
from app.place.household import Household
from app.place.loans import KnownLoan, known_loans
from app.place.simulation import Simulation
from detectors.detector import Composite
from detectors.document import Entry, Fault, FaultyFileError, Section, read
from detectors.parameters import Value

_FIELDS = (
    *("like", "title", "summary", "timezone", "plan", "catalog", "cleaning"),
    *("household", "detectors", "events", "constraints", "simulation"),
)


@dataclass(frozen=True, slots=True)
class Scenario:
    """`items` has one row per tag; `detectors` holds the parameters of each detector that is switched on, and
    `events` those of the composite events which are not at their defaults."""

    name: str
    title: str
    summary: str
    timezone: str
    plan: FloorPlan
    items: pa.Table
    doses: tuple[Dose, ...]
    loans: tuple[KnownLoan, ...]
    cleaning: CleaningSettings
    detectors: Mapping[str, Mapping[str, Value]]
    events: Mapping[str, Mapping[str, Value]]
    constraints: str | None
    simulation: Simulation | None
    household: Household | None = None


def load(path: Path) -> Scenario:
    """The scenario of a file; FaultyFileError with everything that is wrong in it."""
    faults: list[Fault] = []
    made = _scenario(path, faults)
    if faults:
        raise FaultyFileError(faults)
    return made


def with_items(place: Scenario, items: pa.Table) -> Scenario:
    """The same place with another catalog, which has been read and checked before."""
    section = Section(Entry({}, place.name, 1, []), {})
    return replace(place, items=items, doses=doses(section, items), loans=known_loans(section, items))


def files_of(path: Path) -> list[Path]:
    """The scenario's file and those of its catalog, as far as they can be told."""
    section = _with_model(path, read(path, [], str(path)))
    catalog_section = section.section("catalog")
    items = catalog_section.get("items")
    named = [] if items is None else items.data if isinstance(items.data, list) else [items]
    entries = [*named, *(entry for _, entry in catalog_section.section("details").items())]
    return [path, *(path.parent / entry.data for entry in entries if isinstance(entry.data, str))]


def _scenario(path: Path, faults: list[Fault]) -> Scenario:
    section = _with_model(path, read(path, faults, str(path)))
    timezone = _timezone(section.need("timezone"))
    floor = floor_plan.parse(section.section("plan"))
    items = catalog.parse(section.section("catalog"), path.parent)
    known = detectors.load()
    switched = {
        name: _set(name, entry, "detector", known) for name, entry in section.section("detectors").items()
    }
    composed = {
        name: _set(name, entry, "composite event", detectors.composites())
        for name, entry in section.section("events").items()
    }
    check_types(section.section("detectors"), floor, known)
    check_kinds(section, floor)
    check_columns(section.section("detectors"), floor, items, known)
    constraints = declared_constraints(section, floor)
    check_possible(section.section("detectors"), constraints, known, switched)
    switched = as_long_as_declared(section.section("detectors"), constraints, known, switched)
    _check_homes(section, floor, items)
    acted, lived = section.get("simulation"), section.get("household")
    return Scenario(
        name=path.stem,
        title=section.text("title"),
        summary=section.text("summary"),
        timezone=timezone,
        plan=floor,
        items=items,
        doses=doses(section.section("catalog"), items),
        loans=known_loans(section.section("catalog"), items),
        cleaning=_cleaning(section.section("cleaning"), floor),
        detectors=switched,
        events=composed,
        constraints=constraints,
        simulation=simulation.parse(acted.section(), timezone, _names(floor, items)) if acted else None,
        household=_household(section, lived, floor, items),
    )


def _with_model(path: Path, section: Section) -> Section:
    """With `like: other.yaml`, the sections that this file leaves out are the other file's."""
    section.only(*_FIELDS)
    model = section.get("like")
    if model is None:
        return section
    other = read(path.parent / model.text(), section.entry.faults, str(path.parent / model.text()))
    return Section(section.entry, {**other.values, **section.values})


def _cleaning(section: Section, floor: FloorPlan) -> CleaningSettings:
    settings = CleaningSettings.parse(section)
    strange = sorted({area.kind for area in floor.areas} - set(BELIEVED_KINDS))
    if settings.method == WHEREABOUTS and strange:
        known = f"areas of the kinds {', '.join(BELIEVED_KINDS)}"
        section.fault(f"method {WHEREABOUTS!r} knows {known}, not {', '.join(strange)}")
    return settings


def _household(section: Section, lived: Entry | None, floor: FloorPlan, items: pa.Table) -> Household | None:
    if lived is None:
        if floor.moves:
            section.fault("the plan says which rooms adjoin: field 'household' is missing")
        return None
    return household.parse(lived.section(), floor, items)


def _timezone(entry: Entry) -> str:
    name = entry.text()
    if name not in available_timezones():
        entry.fault(f"unknown time zone {name!r}: a name such as Europe/Berlin or UTC expected")
        return "UTC"
    return ZoneInfo(name).key


def _set(name: str, entry: Entry, what: str, known: Mapping[str, Composite]) -> dict[str, Value]:
    if name not in known:
        entry.fault(f"unknown {what} {name!r}: one of {', '.join(known)}")
        return {}
    chosen = {key: value.data for key, value in entry.section().items()}
    try:
        return known[name].values(chosen)
    except ValueError as error:
        entry.fault(str(error))
        return known[name].values()


def _names(floor: FloorPlan, items: pa.Table) -> dict[str, frozenset[str]]:
    """What the sentences of a script may name."""
    columns = {"product": "product", "medicine": "medicine", "owner": "patient"}
    found = {
        role: frozenset(items.column(column).drop_null().to_pylist())
        for role, column in columns.items()
        if column in items.column_names
    }
    areas = frozenset(area.name for area in floor.areas)
    if floor.moves and "kind" in items.column_names:
        found["person"] = frozenset(str(one["id"]) for one in household.people(items))
    elif "kind" in items.column_names:
        found["book"] = frozenset(items.filter(pc.equal(items["kind"], "book")).column("id").to_pylist())
    return {**found, "area": areas, "reader": frozenset(reader.name for reader in floor.readers)}


def _check_homes(section: Section, floor: FloorPlan, items: pa.Table) -> None:
    """An item's home is an area; one without a home would be out of place everywhere."""
    if "home" not in items.column_names:
        return
    areas = {area.name for area in floor.areas}
    things = items.filter(pc.invert(is_person(items)))
    for home in things.column("home").unique().to_pylist():
        if home not in areas:
            section.need("catalog").fault(f"home {home!r} of an item is no area of the plan")
