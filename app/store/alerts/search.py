"""Finding alerts: the open ones, what changed since a cursor, search with filters, and tallies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from app.store import schema
from app.store.alerts.alert import Alert, columns, from_row
from app.store.alerts.incidents import OPEN

_table = schema.alerts
ORDERS = ("newest", "surest", "most doubtful")  # of alerts that are equally sure, the newest first


@dataclass(frozen=True)
class Filter:
    """What to look for; empty fields do not restrict. `text` is words of the alert."""

    states: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    detectors: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    subject: str | None = None
    text: str = ""
    from_ms: int | None = None
    until_ms: int | None = None
    least_sure: float | None = None


@dataclass(frozen=True)
class Page:
    alerts: tuple[Alert, ...]
    total: int


@dataclass(frozen=True)
class Changes:
    """Alerts that are new or have changed, and the cursor to ask with next time."""

    alerts: tuple[Alert, ...]
    cursor: int


@dataclass(frozen=True)
class Record:
    """How often a detector fired and what became of it."""

    detector: str
    fired: int
    resolved: int
    false: int


def open_alerts(engine: sa.Engine, now_ms: int, limit: int = 100) -> list[Alert]:
    """The feed: open and not snoozed, newest first."""
    # State by state, each reads its index in order and stops; both at once would sort all that are open.
    each = [_open_in(state, now_ms, limit).subquery() for state in OPEN]
    found = sa.union_all(*(sa.select(one) for one in each)).subquery()
    query = sa.select(found).order_by(found.c.occurred_ms.desc(), found.c.id.desc()).limit(limit)
    return _alerts(engine, query)


def open_counts(engine: sa.Engine, now_ms: int) -> dict[str, int]:
    """Open alerts that are not snoozed, by severity."""
    query = sa.select(_table.c.severity, sa.func.count()).where(_awake(now_ms)).group_by(_table.c.severity)
    with engine.connect() as connection:
        return dict(connection.execute(query).all())


def changes_since(engine: sa.Engine, cursor: int, limit: int = 500) -> Changes:
    """What changed after the cursor, oldest change first; cheap when nothing did. Begin with cursor 0."""
    query = sa.select(*columns()).where(_table.c.change > cursor).order_by(_table.c.change).limit(limit)
    alerts = tuple(_alerts(engine, query))
    return Changes(alerts, alerts[-1].change if alerts else cursor)


def last_change(engine: sa.Engine) -> int:
    """The cursor of this moment: `changes_since(it)` is empty until something changes."""
    counter = schema.counters
    query = sa.select(counter.c.value).where(counter.c.name == "change")
    with engine.connect() as connection:
        return int(connection.execute(query).scalar() or 0)


def search(
    engine: sa.Engine, wanted: Filter, limit: int = 50, offset: int = 0, order: str = ORDERS[0]
) -> Page:
    """One page of the alerts that fit the filter, and how many there are in all."""
    held = list(conditions(wanted))
    query = sa.select(*columns()).where(*held).order_by(*ordered(order))
    count = sa.select(sa.func.count()).select_from(_table).where(*held)
    with engine.connect() as connection:
        total = int(connection.execute(count).scalar_one())
        rows = connection.execute(query.limit(limit).offset(offset)).all()
    return Page(tuple(from_row(row) for row in rows), total)


def newest_alert(engine: sa.Engine) -> Alert | None:
    """The last thing that happened, whatever became of it."""
    return next(iter(_alerts(engine, sa.select(*columns()).order_by(*_newest_first()).limit(1))), None)


def same_subject(engine: sa.Engine, alert: Alert, limit: int = 50) -> list[Alert]:
    """The other alerts about the same tag or person: they are shown as one group."""
    mine = (_table.c.scenario == alert.scenario, _table.c.subject == alert.subject, _table.c.id != alert.id)
    return _alerts(engine, sa.select(*columns()).where(*mine).order_by(*_newest_first()).limit(limit))


def choices(engine: sa.Engine) -> dict[str, list[str]]:
    """The values that occur, for the filters of a page."""
    names = ("severity", "detector", "area", "owner", "scenario")
    with engine.connect() as connection:
        return {name: _distinct(connection, _table.c[name]) for name in names}


def records(engine: sa.Engine, scenario: str, from_ms: int = 0) -> dict[str, Record]:
    """Per detector: how often it fired, how many were resolved and how many of them as false alarms."""
    resolved, false = (_table.c.state == "resolved", _table.c.resolution == "false alarm")
    query = (
        sa.select(_table.c.detector, sa.func.count(), _count(resolved), _count(false))
        .where(_table.c.scenario == scenario, _table.c.occurred_ms >= from_ms)
        .group_by(_table.c.detector)
    )
    with engine.connect() as connection:
        return {row[0]: Record(*row) for row in connection.execute(query)}


def all_alerts(engine: sa.Engine, wanted: Filter) -> Iterator[Alert]:
    """Every alert that fits, oldest first, without holding them all in memory."""
    query = sa.select(*columns()).where(*conditions(wanted)).order_by(_table.c.occurred_ms, _table.c.id)
    with engine.connect().execution_options(yield_per=500) as connection:
        for row in connection.execute(query):
            yield from_row(row)


def conditions(wanted: Filter) -> Iterator[sa.ColumnElement[bool]]:
    """What an alert has to fit, whatever else is asked of it."""
    lists = {
        "state": wanted.states,
        "severity": wanted.severities,
        "detector": wanted.detectors,
        "area": wanted.areas,
        "owner": wanted.owners,
        "scenario": wanted.scenarios,
    }
    yield from (_table.c[name].in_(values) for name, values in lists.items() if values)
    yield from (_table.c.words.contains(word, autoescape=True) for word in wanted.text.casefold().split())
    if wanted.subject is not None:
        yield _table.c.subject == wanted.subject
    if wanted.from_ms is not None:
        yield _table.c.occurred_ms >= wanted.from_ms
    if wanted.until_ms is not None:
        yield _table.c.occurred_ms < wanted.until_ms
    if wanted.least_sure is not None:
        yield _table.c.probability >= wanted.least_sure


def _open_in(state: str, now_ms: int, limit: int) -> sa.Select[Any]:
    wanted = (_table.c.state == state, _unsnoozed(now_ms))
    return sa.select(*columns()).where(*wanted).order_by(*_newest_first()).limit(limit)


def _awake(now_ms: int) -> sa.ColumnElement[bool]:
    return sa.and_(_table.c.state.in_(OPEN), _unsnoozed(now_ms))


def _unsnoozed(now_ms: int) -> sa.ColumnElement[bool]:
    return sa.func.coalesce(_table.c.snoozed_until_ms, 0) <= now_ms


def _newest_first() -> tuple[sa.ColumnElement[Any], ...]:
    return _table.c.occurred_ms.desc(), _table.c.id.desc()


def ordered(wanted: str) -> tuple[sa.ColumnElement[Any], ...]:
    """Alerts of which nobody knows how sure they are come last."""
    if wanted == "newest":
        return _newest_first()
    sure = _table.c.probability
    return (sure.desc() if wanted == "surest" else sure.asc()).nulls_last(), *_newest_first()


def _alerts(engine: sa.Engine, query: sa.Select[Any]) -> list[Alert]:
    with engine.connect() as connection:
        return [from_row(row) for row in connection.execute(query)]


def _distinct(connection: sa.Connection, column: sa.Column[Any]) -> list[str]:
    query = sa.select(column).where(column.is_not(None)).distinct().order_by(column)
    return list(connection.execute(query).scalars())


def _count(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.coalesce(sa.func.sum(sa.case((condition, 1), else_=0)), 0)
