"""Which alerts belong together: an incident is what one person did, as far as the stream can tell.

Alerts are tied by what they share (the same exit, the same product and shelf, the same patient; the rule is
part of the detector's file) within some time. An incident is called after the alert that began it, so that
its name stays when others join, late ones too.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import sqlalchemy as sa

from app.store import schema
from app.store.database import in_parts, insert_new

OPEN = ("new", "taken")


@dataclass(frozen=True)
class IncidentTie:
    """What an alert shares with the others of its incident, and how far apart in time they may be."""

    same: str
    within_ms: int


class TiedAlert(Protocol):
    """What must be known of an alert in order to find its incident."""

    @property
    def id(self) -> str: ...

    @property
    def occurred_ms(self) -> int: ...

    @property
    def ties(self) -> Sequence[IncidentTie]: ...


@dataclass(frozen=True)
class _Known:
    """An incident that was begun or joined by a tie, and when."""

    at_ms: int
    incident: str


def tie(scenario: str, shared: Mapping[str, object], within_ms: int) -> IncidentTie:
    """Of one length whatever is shared: a name may have thousands of characters."""
    told = "\n".join([scenario, *(f"{name}={value}" for name, value in sorted(shared.items()))])
    return IncidentTie(hashlib.sha256(told.encode()).hexdigest()[:32], within_ms)


def join_incidents(connection: sa.Connection, alerts: Iterable[TiedAlert]) -> dict[str, str]:
    """The incident of each of these new alerts: one that is open and shares a tie, else one of its own."""
    fresh = sorted(alerts, key=lambda alert: (alert.occurred_ms, alert.id))
    known = _known(connection, fresh)
    joined: dict[str, str] = {}
    for alert in fresh:
        near = [one for each in alert.ties for one in known[each.same] if _is_near(alert, each, one)]
        incident = min(near, key=lambda one: (one.at_ms, one.incident)).incident if near else alert.id
        joined[alert.id] = incident
        for each in alert.ties:
            if all(one.incident != incident for one in known[each.same]):
                known[each.same].append(_Known(alert.occurred_ms, incident))
    insert_new(connection, schema.incident_ties, list(_rows(fresh, joined, known)))
    return joined


def _is_near(alert: TiedAlert, shared: IncidentTie, known: _Known) -> bool:
    return abs(alert.occurred_ms - known.at_ms) <= shared.within_ms


def _known(connection: sa.Connection, alerts: Sequence[TiedAlert]) -> defaultdict[str, list[_Known]]:
    """Open incidents by tie, near enough in time to be joined by one of the alerts."""
    found: defaultdict[str, list[_Known]] = defaultdict(list)
    ties = [(one, alert.occurred_ms) for alert in alerts for one in alert.ties]
    if not ties:
        return found
    table = schema.incident_ties
    query = sa.select(table.c.same, table.c.at_ms, table.c.incident).where(
        table.c.at_ms >= min(at_ms - one.within_ms for one, at_ms in ties),
        table.c.at_ms <= max(at_ms + one.within_ms for one, at_ms in ties),
    )
    rows = list(in_parts(connection, query, table.c.same, sorted({one.same for one, _ in ties})))
    still_open = _open(connection, sorted({row.incident for row in rows}))
    for row in rows:
        if row.incident in still_open:
            found[row.same].append(_Known(row.at_ms, row.incident))
    return found


def _open(connection: sa.Connection, incidents: Sequence[str]) -> set[str]:
    """A resolved incident is over: what comes after it is another one."""
    table = schema.alerts
    query = sa.select(table.c.incident).where(table.c.state.in_(OPEN)).distinct()
    return {row.incident for row in in_parts(connection, query, table.c.incident, incidents)}


def _rows(
    alerts: Sequence[TiedAlert], joined: Mapping[str, str], known: Mapping[str, Sequence[_Known]]
) -> Iterable[dict[str, object]]:
    for alert in alerts:
        for each in alert.ties:
            for one in known[each.same]:
                if one.incident == joined[alert.id]:
                    yield {"same": each.same, "incident": one.incident, "at_ms": one.at_ms}
