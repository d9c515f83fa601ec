"""Which columns of the catalog the detectors of a place read: without one, a query goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pyarrow as pa

from app.place.event_types import possible_composites
from app.place.floor_plan import FloorPlan
from detectors.detector import Composite, Detector
from detectors.document import Section
from sase.errors import did_you_mean
from sase.language import tree
from sase.language.walk import mentions
from sase.language.write import returned_name

# What every event has, whatever the catalog says.
_OWN = frozenset({"event", "ts", "area", "reader", "dwell", "offset", "seq", "prob", "tag", "id", "*"})


def check_columns(section: Section, plan: FloorPlan, items: pa.Table, known: Mapping[str, Detector]) -> None:
    """A comparison with what is missing may be true: without `home` every item would be misplaced."""
    made = possible_composites(plan)
    for name, entry in section.items():
        if name in known:
            for column in sorted(_read(known[name], made) - _OWN - set(items.column_names)):
                hint = did_you_mean(column, items.column_names)
                entry.fault(f"{name} reads {column!r}, but the catalog has no such column. {hint}".strip())


def _read(rule: Composite, made: Mapping[str, Composite]) -> frozenset[str]:
    """What the rule and the composite events that it is made of read of the catalog."""
    below = [one for one in made.values() if one.makes in rule.reads()]
    told = {name for one in below for name in _names(one).returned}
    return (_names(rule).read - told).union(*(_read(one, made) for one in below))


class _Names(NamedTuple):
    """The attributes that a query reads, to match or to return, and those that it gives its events."""

    read: frozenset[str]
    returned: frozenset[str]


_known: dict[str, _Names] = {}


def _names(rule: Composite) -> _Names:
    """By the text: other parameters read the same."""
    if rule.query not in _known:
        query = rule.compile()
        parts = [part for item in query.returned for part in mentions(item.expression)]
        named = {part.name for part in parts if isinstance(part, tree.Attribute | tree.Aggregate)}
        read = query.attributes | {name for name in named if name}
        _known[rule.query] = _Names(read, frozenset(returned_name(item) for item in query.returned))
    return _known[rule.query]
