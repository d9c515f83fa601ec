"""What constraints have spared each detector, and how many cases are remembered for it now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from app.store import schema
from app.store.counters import add_to, set_to

SPARED = ("pruned", "early", "broken")
_CASES = "cases"
_LONGEST = 50  # of a counter's name


@dataclass(frozen=True, slots=True)
class Spared:
    """Since the store began, but for `cases`."""

    pruned: int = 0  # events that were dropped because nothing could come of them
    early: int = 0  # alerts that came before their deadline
    broken: int = 0  # breaches
    cases: int = 0  # remembered now


def record_spared(engine: sa.Engine, grown: Mapping[tuple[str, str], int], cases: Mapping[str, int]) -> None:
    """More of what is counted, by detector and figure; and how many cases there are, by detector."""
    with engine.begin() as connection:
        for (detector, figure), amount in sorted(grown.items()):
            add_to(connection, _name(figure, detector), amount)
        for detector, count in sorted(cases.items()):
            set_to(connection, _name(_CASES, detector), count)


def spared(engine: sa.Engine, detector: str) -> Spared:
    table, names = schema.counters, {_name(figure, detector): figure for figure in (*SPARED, _CASES)}
    with engine.connect() as connection:
        named = sa.select(table.c.name, table.c.value).where(table.c.name.in_(names))
        rows = connection.execute(named).all()
    return Spared(**{names[name]: value for name, value in rows})


def _name(figure: str, detector: str) -> str:
    return f"{figure} {detector}"[:_LONGEST]
