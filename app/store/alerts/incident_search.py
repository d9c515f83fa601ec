"""Finding incidents: the open ones as the feed shows them, and what belongs to one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import sqlalchemy as sa

from app.store import schema
from app.store.alerts.alert import Alert, columns, from_row
from app.store.alerts.incidents import OPEN
from app.store.database import in_parts

PINNED = 20  # a flood of the worst must not hide what is new
WORST_FIRST = ("critical", "high", "medium", "low", "info")
_table = schema.alerts


@dataclass(frozen=True)
class AlertIncident:
    """Alerts that belong together, as far as they were asked for, the one to tell first in front."""

    id: str
    members: tuple[Alert, ...]

    @property
    def severity(self) -> str:
        """That of its worst member."""
        return self.members[0].severity

    @property
    def is_new(self) -> bool:
        """Somebody must still look at it."""
        return any(alert.state == "new" for alert in self.members)

    @property
    def raised_ms(self) -> int:
        """When its last member came."""
        return max(alert.stored_ms for alert in self.members)

    @property
    def change(self) -> int:
        return max(alert.change for alert in self.members)

    @property
    def prices(self) -> dict[str, float]:
        """Each item that any member speaks of, once, however many alerts it caused."""
        seen = (event.attributes for alert in self.members for event in alert.evidence.events)
        return {
            str(one["id"]): float(one["price"])
            for one in seen
            if "id" in one and isinstance(one.get("price"), int | float)
        }

    @property
    def value(self) -> float | None:
        """At retail; nothing where no item has a price."""
        return round(sum(self.prices.values()), 2) if self.prices else None


def open_incidents(engine: sa.Engine, now_ms: int, limit: int = 60) -> list[AlertIncident]:
    """The feed: the worst that nobody has taken, pinned; below them the newest.

    Only members that are open and not snoozed; an incident without any is not among them."""
    awake = sa.func.coalesce(_table.c.snoozed_until_ms, 0) <= now_ms
    with engine.connect() as connection:
        newest = list(_newest(connection, awake, limit))
        new = sorted((row for row in newest if row.state == "new"), key=_by_severity)
        pinned = list(islice(dict.fromkeys(row.incident for row in new), min(PINNED, limit)))
        others = (row.incident for row in sorted(newest, key=_by_time))
        shown = list(islice(dict.fromkeys([*pinned, *others]), limit))
        found = with_members(connection, shown, _table.c.state.in_(OPEN), awake)
    top = frozenset(pinned)
    return sorted(found, key=lambda one: (one.id not in top, _urgency(one, one.id in top)))


def _newest(connection: sa.Connection, awake: sa.ColumnElement[bool], limit: int) -> Iterator[Any]:
    """Of every state and severity the newest: each reads its index in order and stops; all at once would sort
    whatever is open."""
    of_row = (_table.c.incident, _table.c.state, _table.c.severity, _table.c.stored_ms)
    for state in OPEN:
        for severity in WORST_FIRST:
            alike = (_table.c.state == state, _table.c.severity == severity, awake)
            newest_first = (_table.c.stored_ms.desc(), _table.c.id.desc())
            query = sa.select(*of_row).where(*alike).order_by(*newest_first).limit(limit)
            yield from connection.execute(query)


def _by_severity(row: Any) -> tuple[int, int]:
    return severity_rank(row.severity), -row.stored_ms


def _by_time(row: Any) -> int:
    return -int(row.stored_ms)


def incident_of(engine: sa.Engine, alert: Alert) -> AlertIncident:
    """All that belongs to the alert's incident, in whatever state, itself included."""
    with engine.connect() as connection:
        (found,) = with_members(connection, [alert.incident])
    return found


def count_incidents(engine: sa.Engine, now_ms: int) -> int:
    """How many incidents have a member that is open and not snoozed."""
    awake = sa.func.coalesce(_table.c.snoozed_until_ms, 0) <= now_ms
    query = sa.select(sa.func.count(_table.c.incident.distinct())).where(_table.c.state.in_(OPEN), awake)
    with engine.connect() as connection:
        return int(connection.execute(query).scalar_one())


def with_members(
    connection: sa.Connection, incidents: Sequence[str], *conditions: sa.ColumnElement[bool]
) -> list[AlertIncident]:
    """Each of the incidents with the members that fulfil the conditions; those without any are left out."""
    members: defaultdict[str, list[Alert]] = defaultdict(list)
    query = sa.select(*columns()).where(*conditions)
    for row in in_parts(connection, query, _table.c.incident, incidents):
        members[row.incident].append(from_row(row))
    return [AlertIncident(id_, tuple(_told_first(members[id_]))) for id_ in incidents if id_ in members]


def _told_first(alerts: Iterable[Alert]) -> list[Alert]:
    return sorted(alerts, key=lambda alert: (severity_rank(alert.severity), alert.occurred_ms, alert.id))


def _urgency(incident: AlertIncident, pinned: bool) -> tuple[int, int, str]:
    return severity_rank(incident.severity) if pinned else 0, -incident.raised_ms, incident.id


def severity_rank(severity: str) -> int:
    return WORST_FIRST.index(severity) if severity in WORST_FIRST else len(WORST_FIRST)
