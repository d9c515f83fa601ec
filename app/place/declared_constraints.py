"""What can never happen in a place: the section `constraints` of its scenario, checked where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

import sase
from app.place.event_types import cleaned_types, stream_types
from app.place.floor_plan import FloorPlan
from detectors.detector import Detector
from detectors.document import Entry, Fault, Section
from detectors.parameters import Value
from sase.constraints.parse import parse_constraints
from sase.errors import QueryError, did_you_mean
from sase.language.tree import Equivalence, Parameter
from sase.language.walk import conjuncts


def declared_constraints(section: Section, plan: FloorPlan) -> str | None:
    """All groups as one text, a text or a list of texts in the file; None if there are none."""
    entry = section.get("constraints")
    if entry is None:
        return None
    given = entry.entries() if isinstance(entry.data, list) else [entry]
    types = stream_types(plan)
    return ";\n".join(text for one in given for text in _checked(one, types)) or None


def check_possible(
    section: Section,
    constraints: str | None,
    known: Mapping[str, Detector],
    chosen: Mapping[str, Mapping[str, Value]],
) -> None:
    """A detector that can never match where the place's constraints hold is a mistake in one or the other,
    unless it is there to tell that they are broken."""
    for name, entry in section.items() if constraints else ():
        if name in known and known[name].breaks is None:
            try:
                sase.compile(known[name].query, chosen[name], constraints=constraints)
            except QueryError as error:
                entry.fault(
                    f"{name}: {error.message}: section 'constraints' and this detector exclude each other"
                )


def as_long_as_declared(
    section: Section,
    constraints: str | None,
    known: Mapping[str, Detector],
    chosen: Mapping[str, Mapping[str, Value]],
) -> dict[str, dict[str, Value]]:
    """What is chosen for the detectors; where the file says FOR how long a case is remembered and nothing
    else, a detector that tells what is broken looks that far back."""
    found = {name: dict(values) for name, values in chosen.items()}
    for name, entry in section.items():
        if name in known and (said := _said_for(constraints, known[name])):
            parameter, declared = said
            if parameter not in {given for given, _ in entry.section().items()}:
                found[name] = known[name].still_valid(found[name] | {parameter: declared})
    return found


def _said_for(constraints: str | None, detector: Detector) -> tuple[str, int] | None:
    """The window's parameter of a detector of breaches, and FOR of the group that declares these."""
    window = detector.tree().within
    if detector.breaks is None or window is None or not isinstance(window.size, Parameter):
        return None
    told = {*map(str, parse_constraints(detector.breaks).groups[0].constraints)}
    groups = parse_constraints(constraints).groups if constraints else ()
    declared = (group.remembered for group in groups if told & {*map(str, group.constraints)})
    return next(((window.size.name, one) for one in declared if one is not None), None)


def about_cleaned(constraints: str | None, plan: FloorPlan) -> str | None:
    """The groups that speak of cleaned events only. What speaks of composite events is told by detectors."""
    groups = parse_constraints(constraints).groups if constraints else ()
    types = cleaned_types(plan)
    return "; ".join(str(group) for group in groups if types.issuperset(group.types)) or None


def constraints_about(constraints: str | None, detector: Detector) -> list[str]:
    """Those that concern a detector, by the cases its query keeps together and the types it reads."""
    groups = parse_constraints(constraints).groups if constraints else ()
    reads, kept = {*detector.reads()}, _equal(detector)
    return [
        str(one)
        for group in groups
        if kept.issuperset(group.by)
        for one in group.constraints
        if reads & {*one.types}
    ]


def spared_by(
    constraints: str | None, plan: FloorPlan, detector: Detector, chosen: Mapping[str, Value]
) -> list[str]:
    """What those that the pipeline evaluates spare a detector, as `explain` tells it: what follows from them,
    after which event a match that has begun is dropped, and when a negated end is known early. Empty: they do
    not serve its query."""
    evaluated = about_cleaned(constraints, plan)
    if evaluated is None or detector.breaks is not None:
        return []
    query = sase.compile(detector.query, detector.values(chosen), constraints=evaluated)
    return query.explain_constraints()


def _equal(detector: Detector) -> set[str]:
    parts = conjuncts(detector.tree().condition)
    return {part.attribute for part in parts if isinstance(part, Equivalence)}


def _checked(entry: Entry, types: Set[str]) -> Iterator[str]:
    text = entry.text()
    if not isinstance(entry.data, str):
        return
    try:
        found = parse_constraints(text)
    except QueryError as error:
        _fault(entry, text, error)
        return
    for name in sorted(found.types - types):
        near = did_you_mean(name, types)
        entry.fault(f"constraints: no event of the type {name} comes from this place. {near}".strip())
    yield text


def _fault(entry: Entry, text: str, error: QueryError) -> None:
    """With the line and a caret. The text of a block begins on the line after its bar."""
    shown = str(error).split("\n", 1)[1]
    line = entry.line + (error.line if "\n" in text else 0)
    entry.faults.append(Fault(entry.file, line, f"constraints: {error.message}\n{shown}"))
