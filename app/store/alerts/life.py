"""The life of alerts: taken, resolved, noted, snoozed, re-opened and handed over, singly or many at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import sqlalchemy as sa

from app.mqtt import topics
from app.store import schema
from app.store.actor import Actor, require_at
from app.store.alerts.alert import STATES, Alert, Step, searchable
from app.store.alerts.incidents import OPEN
from app.store.counters import add_to
from app.store.database import writing
from app.store.outbox import enqueue

RESOLUTIONS = ("theft", "staff", "returned", "put right", "treated", "false alarm", "other")
NEEDS_REASON = ("false alarm", "other")
BORROWED = "borrowed"  # not among the above: it comes about by booking the loan
_CLEAN = {"resolution": None, "reason": None, "snoozed_until_ms": None}


class LifeError(Exception):
    """The alert is not in a state in which this can be done, or something needed was not said."""


@dataclass(frozen=True)
class _Deed:
    """What is done to alerts: its name, the states it needs, the columns it sets, what else to write down."""

    action: str
    states: tuple[str, ...]
    values: dict[str, Any]
    detail: dict[str, Any] = field(default_factory=dict)
    messages: tuple[tuple[str, str], ...] = ()
    once: bool = False  # what stands like that already is left alone


@dataclass(frozen=True)
class BookedLoan:
    """What somebody at the desk has found out: who has borrowed what, by their ids; and the patron's name."""

    patron: str
    item: str
    name: str


def take(engine: sa.Engine, actor: Actor, alerts: Sequence[str], *, now_ms: int) -> None:
    """The actor takes the alerts on, also from a colleague; not what is theirs already."""
    values = {"state": "taken", "owner": actor.name}
    _do(engine, actor, alerts, _Deed("taken", OPEN, values, once=True), now_ms)


def hand_over(engine: sa.Engine, actor: Actor, alerts: Sequence[str], to: str, *, now_ms: int) -> None:
    _do(engine, actor, alerts, _Deed("handed over", OPEN, {"state": "taken", "owner": to}), now_ms)


def resolve(
    engine: sa.Engine, actor: Actor, alerts: Sequence[str], resolution: str, reason: str, *, now_ms: int
) -> None:
    """Close the alerts; a false alarm and "other" need a reason, so that the detector can be improved."""
    if resolution not in RESOLUTIONS:
        raise LifeError(f"no such resolution: {resolution}; one of {', '.join(RESOLUTIONS)}")
    if resolution in NEEDS_REASON and not reason.strip():
        raise LifeError(f"say why: a resolution as {resolution} needs a reason")
    values = _CLEAN | {"state": "resolved", "resolution": resolution, "reason": reason.strip()}
    _do(engine, actor, alerts, _Deed("resolved", OPEN, values), now_ms)


def lend(engine: sa.Engine, actor: Actor, alert: Alert, loan: BookedLoan, *, now_ms: int) -> None:
    """Close an alert about an item by booking it as lent; the running pipeline is told through the outbox."""
    asked = {"scenario": alert.scenario, "loan": {"patron": loan.patron, "item": loan.item}}
    # Read by ingest, which appends the loan to the log: so it has a place in the stream.
    told = (topics.CONTROL, json.dumps(asked | {"actor": actor.name}))
    values = _CLEAN | {"state": "resolved", "resolution": BORROWED, "reason": loan.name}
    _do(engine, actor, [alert.id], _Deed("resolved", OPEN, values, messages=(told,)), now_ms)


def reopen(engine: sa.Engine, actor: Actor, alerts: Sequence[str], *, now_ms: int) -> None:
    _do(
        engine,
        actor,
        alerts,
        _Deed("reopened", ("resolved",), _CLEAN | {"state": "new", "owner": None}),
        now_ms,
    )


def snooze(engine: sa.Engine, actor: Actor, alerts: Sequence[str], until_ms: int, *, now_ms: int) -> None:
    """Hide open alerts from the feed until a moment to come."""
    if until_ms <= now_ms:
        raise LifeError("a snooze must end in the future")
    _do(engine, actor, alerts, _Deed("snoozed", OPEN, {"snoozed_until_ms": until_ms}), now_ms)


def wake(engine: sa.Engine, actor: Actor, alerts: Sequence[str], *, now_ms: int) -> None:
    """End a snooze early."""
    _do(engine, actor, alerts, _Deed("woken", OPEN, {"snoozed_until_ms": None}), now_ms)


def note(engine: sa.Engine, actor: Actor, alerts: Sequence[str], text: str, *, now_ms: int) -> None:
    """Add a remark to the history of alerts in any state."""
    if not text.strip():
        raise LifeError("an empty note says nothing")
    _do(engine, actor, alerts, _Deed("noted", STATES, {}, {"text": text.strip()}), now_ms)


def _do(engine: sa.Engine, actor: Actor, alerts: Sequence[str], deed: _Deed, now_ms: int) -> None:
    """Change all of the alerts or none, and write down who did what."""
    require_at(engine, actor, "staff", "change an alert")
    ids = list(dict.fromkeys(alerts))
    with writing(engine) as connection:
        before = _locked(connection, ids, deed)
        ids = _to_change(before, deed)
        first = add_to(connection, "change", len(ids)) - len(ids) + 1
        for change, alert in enumerate(ids, first):
            words = searchable(before[alert]["words"], *_said(deed))
            _set(connection, alert, deed.values | {"change": change, "words": words})
            detail = _difference(before[alert], deed.values) | deed.detail
            step = Step(alert, now_ms, actor.name, deed.action, detail)
            connection.execute(sa.insert(schema.history).values(asdict(step)))
        if deed.messages:
            enqueue(connection, deed.messages, now_ms)


def _to_change(before: dict[str, dict[str, Any]], deed: _Deed) -> list[str]:
    """Decided on the locked rows: two pages of one person must not take an alert twice."""
    ids = [id_ for id_, row in before.items() if not deed.once or _difference(row, deed.values)]
    if before and not ids:
        raise LifeError(f"you have {deed.action} it already")
    return ids


def _said(deed: _Deed) -> list[Any]:
    """By what the alert can be found from now on: who has it, what it was, what was written."""
    return [(deed.values | deed.detail).get(name) for name in ("owner", "resolution", "reason", "text")]


def _locked(connection: sa.Connection, ids: Sequence[str], deed: _Deed) -> dict[str, dict[str, Any]]:
    """The alerts as they are, locked against others; an unknown or unsuitable one stops the change."""
    query = sa.select(schema.alerts).where(schema.alerts.c.id.in_(ids)).with_for_update()
    found = {row.id: dict(row._mapping) for row in connection.execute(query)}
    for alert in ids:
        if alert not in found:
            raise LifeError("there is no such alert any more")
        if found[alert]["state"] not in deed.states:
            about, state = found[alert]["subject"], found[alert]["state"]
            raise LifeError(f"the alert about {about} is {state} and cannot be {deed.action}")
    return {alert: found[alert] for alert in ids}


def _set(connection: sa.Connection, alert: str, values: dict[str, Any]) -> None:
    connection.execute(sa.update(schema.alerts).where(schema.alerts.c.id == alert).values(values))


def _difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {
        name: {"from": before[name], "to": value} for name, value in after.items() if before[name] != value
    }
