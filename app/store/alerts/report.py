"""What managers ask for: what was lost and recovered, how often, how quickly treated, how often falsely."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from app.store import schema

LOST = ("theft",)
RECOVERED = ("returned", "put right")
FALSE = "false alarm"
_table = schema.alerts
Steps = dict[tuple[str, str, str], int]  # site, alert and action, to when
_COLUMNS = (
    "id", "incident", "detector", "area", "occurred_ms", "stored_ms", "state", "resolution", "evidence",
)  # fmt: skip


@dataclass(frozen=True)
class ReportedAlert:
    """An alert as far as a report counts it; `prices` are those of its items, by their ids."""

    id: str
    incident: str
    detector: str
    area: str
    occurred_ms: int
    stored_ms: int
    state: str
    resolution: str | None
    prices: dict[str, float]


@dataclass(frozen=True)
class AlertReport:
    """The alerts of some time; what became of each, and how long that took."""

    alerts: tuple[ReportedAlert, ...]
    to_take_ms: tuple[int, ...] = ()
    to_resolve_ms: tuple[int, ...] = ()
    passages: int = 0  # of things through an exit

    @property
    def incidents(self) -> int:
        return len({alert.incident for alert in self.alerts})

    @property
    def lost(self) -> float:
        return _worth(one for one in self.alerts if one.resolution in LOST)

    @property
    def recovered(self) -> float:
        return _worth(one for one in self.alerts if one.resolution in RECOVERED)

    @property
    def undecided(self) -> float:
        """What is open still."""
        return _worth(one for one in self.alerts if one.state != "resolved")

    @property
    def resolved(self) -> int:
        return sum(one.state == "resolved" for one in self.alerts)

    @property
    def false(self) -> int:
        return sum(one.resolution == FALSE for one in self.alerts)

    @property
    def take_ms(self) -> float | None:
        return statistics.median(self.to_take_ms) if self.to_take_ms else None

    @property
    def resolve_ms(self) -> float | None:
        return statistics.median(self.to_resolve_ms) if self.to_resolve_ms else None

    def by(self, name: str) -> Counter[str]:
        """How many of each detector or area."""
        return Counter(str(getattr(alert, name)) for alert in self.alerts)


def report(
    engine: sa.Engine, scenario: str, from_ms: int, until_ms: int, exits: Sequence[str] = ()
) -> AlertReport:
    """The alerts that occurred in some time; `exits` are the areas to leave through."""
    with engine.connect() as connection:
        found = reports(connection, from_ms, until_ms, _table.c.scenario == scenario)
        passages = _passages(connection, from_ms, until_ms, exits)
    [alone] = found.values() or [AlertReport(())]
    return replace(alone, passages=passages)


def reports(
    connection: sa.Connection, from_ms: int, until_ms: int, of: sa.ColumnElement[bool]
) -> dict[str, AlertReport]:
    """By site; of those to which nothing has occurred, nothing."""
    mine = (of, _table.c.occurred_ms >= from_ms, _table.c.occurred_ms < until_ms)
    query = sa.select(_table.c.site, *(_table.c[name] for name in _COLUMNS)).where(*mine)
    alerts: defaultdict[str, list[ReportedAlert]] = defaultdict(list)
    for row in connection.execute(query.order_by(_table.c.occurred_ms)):
        alerts[row.site].append(_reported(row))
    steps = _first_steps(connection, mine)
    return {site: _of_site(site, found, steps) for site, found in alerts.items()}


def _of_site(site: str, alerts: list[ReportedAlert], steps: Steps) -> AlertReport:
    raised = {alert.id: alert.stored_ms for alert in alerts}

    def after(wanted: str) -> tuple[int, ...]:
        mine = ((id_, action, at) for (where, id_, action), at in steps.items() if where == site)
        return tuple(at - raised[id_] for id_, action, at in mine if action == wanted)

    return AlertReport(tuple(alerts), after("taken"), after("resolved"))


def _reported(row: sa.Row[Any]) -> ReportedAlert:
    values = {name: row._mapping[name] for name in _COLUMNS}
    seen = (event["attributes"] for event in values.pop("evidence")["events"])
    prices = {
        str(one["id"]): float(one["price"])
        for one in seen
        if "id" in one and isinstance(one.get("price"), int | float)
    }
    return ReportedAlert(**values, prices=prices)


def _first_steps(connection: sa.Connection, mine: Iterable[sa.ColumnElement[bool]]) -> Steps:
    """When each was first taken and first resolved by a person."""
    past = schema.history
    query = (
        sa.select(past.c.site, past.c.alert, past.c.action, sa.func.min(past.c.at_ms))
        .join(_table, sa.and_(_table.c.id == past.c.alert, _table.c.site == past.c.site))
        .where(*mine, past.c.action.in_(("taken", "resolved")), past.c.actor != "pipeline")
        .group_by(past.c.site, past.c.alert, past.c.action)
    )
    return {(site, alert, action): int(at) for site, alert, action, at in connection.execute(query)}


def _passages(connection: sa.Connection, from_ms: int, until_ms: int, exits: Sequence[str]) -> int:
    moves = schema.moves
    meanwhile = (moves.c.at_ms >= from_ms, moves.c.at_ms < until_ms, moves.c.area.in_(list(exits)))
    return int(
        connection.execute(sa.select(sa.func.count()).select_from(moves).where(*meanwhile)).scalar_one()
    )


def _worth(alerts: Iterable[ReportedAlert]) -> float:
    """Each item once, however many alerts it caused."""
    prices: dict[str, float] = {}
    for alert in alerts:
        prices |= alert.prices
    return round(sum(prices.values()), 2)
