"""Which columns of the catalog the detectors of a place read: without one, a query goes wrong."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NamedTuple

import pyarrow as pa

from app.place.event_types import possible_composites
from app.place.floor_plan import FloorPlan
from app.place.limits import COLUMNS, LIMITS
from detectors.detector import Composite, Detector
from detectors.document import Section
from sase.errors import did_you_mean
from sase.language import tree
from sase.language.walk import mentions
from sase.language.write import returned_name

# What every event has, whatever the catalog says.
_OWN = frozenset(
    {"event", "ts", "area", "reader", "dwell", "offset", "below", "seq", "prob", "tag", "id", "*"}
)

OF_PEOPLE = frozenset({"entity", "place", "room"})  # what events have besides where people are followed


def check_columns(section: Section, plan: FloorPlan, items: pa.Table, known: Mapping[str, Detector]) -> None:
    """A comparison with what is missing may be true: without `home` every item would be misplaced."""
    made = possible_composites(plan)
    own = _OWN | OF_PEOPLE if plan.moves else _OWN
    for name, entry in section.items():
        if name in known:
            missing = _read(known[name], made) - own - set(items.column_names)
            for column in sorted({LIMITS if one in COLUMNS else one for one in missing}):
                hint = did_you_mean(column, items.column_names)
                entry.fault(f"{name} reads {column!r}, but the catalog has no such column. {hint}".strip())


def _read(rule: Composite, made: Mapping[str, Composite], names: Set[str] = frozenset()) -> set[str]:
    """What the rule reads of the catalog, to match and for these names, itself or by the composite events
    that it is made of."""
    below = [one for one in made.values() if one.makes in rule.reads()]
    asked = _names(rule).read | names
    told = {name for one in below for name in _names(one).returned}
    return set(asked - told).union(*(_read(one, made, _of(one, asked)) for one in below))


def _of(rule: Composite, asked: Set[str]) -> set[str]:
    """What the rule must read to return what is asked for."""
    returned = _names(rule).returned
    return set().union(*(returned[name] for name in asked & returned.keys()))


class _Names(NamedTuple):
    """The attributes that a query reads to match, and those that it gives its events, with their sources."""

    read: frozenset[str]
    returned: Mapping[str, frozenset[str]]


_known: dict[str, _Names] = {}


def _names(rule: Composite) -> _Names:
    """By the text: other parameters read the same."""
    if rule.query not in _known:
        query = rule.compile()
        returned = {returned_name(item): _sources(item) for item in query.returned}
        _known[rule.query] = _Names(query.attributes, returned)
    return _known[rule.query]


def _sources(item: tree.Returned) -> frozenset[str]:
    parts = mentions(item.expression)
    named = {part.name for part in parts if isinstance(part, tree.Attribute | tree.Aggregate)}
    return frozenset(name for name in named if name)
