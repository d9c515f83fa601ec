"""Detectors on, off and re-parametrised per scenario, with every change on record and undoable."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import sqlalchemy as sa

import detectors
from app.mqtt import topics
from app.store import schema
from app.store.actor import Actor, require_at
from app.store.counters import set_to
from app.store.database import insert_new, writing
from app.store.outbox import enqueue


@dataclass(frozen=True)
class Switch:
    """How a detector stands in a scenario; revision 0 is the scenario file's own setting. One that is off may
    have a reason and a moment at which it goes on again by itself."""

    scenario: str
    detector: str
    enabled: bool
    parameters: dict[str, Any]
    revision: int = 0
    reason: str = ""
    until_ms: int | None = None


@dataclass(frozen=True)
class SwitchChange:
    """One line of a detector's history: what it was changed to, by whom, and when the pipeline followed."""

    scenario: str
    detector: str
    revision: int
    at_ms: int
    actor: str
    enabled: bool
    parameters: dict[str, Any]
    reason: str
    until_ms: int | None
    undoes: int | None
    applied_ms: int | None


@dataclass(frozen=True)
class SwitchedOff:
    """A detector that somebody has switched off, and since when."""

    detector: str
    actor: str
    since_ms: int
    reason: str
    until_ms: int | None


def record_defaults(engine: sa.Engine, defaults: list[Switch], now_ms: int) -> None:
    """Put a scenario's own settings under those detectors that nobody has touched yet."""
    with writing(engine) as connection:
        known = set(connection.execute(sa.select(_table.c.scenario, _table.c.detector)))
        fresh = [switch for switch in defaults if (switch.scenario, switch.detector) not in known]
        insert_new(connection, _table, [asdict(switch) for switch in fresh])
        running = {scenario for scenario, _ in known}
        for switch in fresh:
            _note(connection, switch, _FILE, now_ms, None)
            # A checkpoint keeps the queries that it began with.
            if switch.enabled and switch.scenario in running:
                _tell(connection, switch, _FILE, now_ms)


def record_versions(engine: sa.Engine, scenario: str, now_ms: int) -> list[str]:
    """The names of the detectors whose files are others than those that the pipeline was told of; it is told
    of those that are on. Who is seen for the first time has been told by the start."""
    versions = {name: int(one.version, 16) for name, one in detectors.load().items()}
    with writing(engine) as connection:
        known: dict[str, int] = dict(connection.execute(sa.select(*schema.told(schema.counters))).all())
        changed = [name for name, one in versions.items() if known.get(_VERSION + name, one) != one]
        for name in changed:
            current = connection.execute(_mine(scenario, name)).first()
            if current is not None and current.enabled:
                _tell(connection, Switch(**current._mapping), _CHANGED_FILE, now_ms)
        for name, version in versions.items():
            if known.get(_VERSION + name) != version:
                set_to(connection, _VERSION + name, version)
    return changed


def record_catalog(engine: sa.Engine, scenario: str, name: str, begun_with: str | None, now_ms: int) -> bool:
    """Whether the catalog is another than the pipeline was told of; then it is told."""
    with writing(engine) as connection:
        known: dict[str, int] = dict(connection.execute(sa.select(*schema.told(schema.counters))).all())
        told = known.get(_CATALOG, int(begun_with or name, 16))
        if told != int(name, 16):
            text = json.dumps({"scenario": scenario, "catalog": name})
            enqueue(connection, [(topics.CONTROL, text)], now_ms)
        set_to(connection, _CATALOG, int(name, 16))
        return told != int(name, 16)


def record_learned(engine: sa.Engine, scenario: str, name: str, now_ms: int) -> None:
    """From the next place in the log on this version of what was learned counts."""
    with writing(engine) as connection:
        enqueue(connection, [(topics.CONTROL, json.dumps({"scenario": scenario, "learned": name}))], now_ms)
        set_to(connection, _LEARNED, int(name, 16))


def asked_to_learn(engine: sa.Engine) -> str:
    """The version that was asked for last; empty if none ever was."""
    with engine.connect() as connection:
        known: dict[str, int] = dict(connection.execute(sa.select(*schema.told(schema.counters))).all())
    return f"{known[_LEARNED]:012x}" if _LEARNED in known else ""


def switches(engine: sa.Engine, scenario: str) -> dict[str, Switch]:
    """The detectors of a scenario as they stand now, by name."""
    query = sa.select(*schema.told(_table)).where(_table.c.scenario == scenario).order_by(_table.c.detector)
    with engine.connect() as connection:
        return {row.detector: Switch(**row._mapping) for row in connection.execute(query)}


def switch(
    engine: sa.Engine,
    actor: Actor,
    scenario: str,
    detector: str,
    *,
    now_ms: int,
    enabled: bool | None = None,
    parameters: Mapping[str, Any] | None = None,
    reason: str = "",
    until_ms: int | None = None,
) -> Switch:
    """Change what is given and leave the rest; the running pipeline is told through the outbox. `reason` and
    `until_ms` are those of switching off."""
    require_at(engine, actor, "manager", "change a detector")
    with writing(engine) as connection:
        current = _current(connection, scenario, detector)
        changed = replace(
            current,
            parameters=current.parameters | dict(parameters or {}),
            revision=current.revision + 1,
        )
        if enabled is not None:
            why, until = ("", None) if enabled else (reason.strip(), until_ms)
            changed = replace(changed, enabled=enabled, reason=why, until_ms=until)
        return _keep(connection, actor.name, changed, now_ms, None)


def switch_on_due(engine: sa.Engine, scenario: str, now_ms: int) -> list[str]:
    """Switch those on again whose time off is over; which."""
    due = (_table.c.scenario == scenario, _table.c.enabled.is_(False), _table.c.until_ms <= now_ms)
    with engine.connect() as connection:
        if connection.execute(sa.select(_table.c.detector).where(*due)).first() is None:
            return []
    with writing(engine) as connection:
        found = connection.execute(sa.select(*schema.told(_table)).where(*due).with_for_update()).all()
        for row in found:
            off = Switch(**row._mapping)
            on = replace(off, enabled=True, revision=off.revision + 1, reason="", until_ms=None)
            _keep(connection, ITSELF, on, now_ms, None)
    return [row.detector for row in found]


def switched_off(engine: sa.Engine, scenario: str) -> list[SwitchedOff]:
    """The detectors that a person has switched off, with who and when; not those that never were on."""
    off = sa.select(_table.c.detector).where(
        _table.c.scenario == scenario, _table.c.enabled.is_(False), _table.c.revision > 0
    )
    with engine.connect() as connection:
        names = list(connection.execute(off.order_by(_table.c.detector)).scalars())
        found = [_since(connection, scenario, name) for name in names]
    return [one for one in found if one is not None]


def _since(connection: sa.Connection, scenario: str, detector: str) -> SwitchedOff | None:
    """Where the last stretch of being off began, however long the history is; nothing if it was never on."""
    mine = (_past.c.scenario == scenario, _past.c.detector == detector)
    on = sa.select(sa.func.max(_past.c.number)).where(*mine, _past.c.enabled.is_(True)).scalar_subquery()
    changes = sa.select(*_change_columns()).where(*mine, _past.c.number > on)
    began = connection.execute(changes.order_by(_past.c.number).limit(1)).first()
    newest = connection.execute(changes.order_by(_past.c.number.desc()).limit(1)).first()
    if began is None or newest is None:
        return None
    return SwitchedOff(began.detector, began.actor, began.at_ms, newest.reason, newest.until_ms)


def undo(
    engine: sa.Engine, actor: Actor, scenario: str, detector: str, revision: int, *, now_ms: int
) -> Switch:
    """Set the detector back to how it stood before `revision`, as a change of its own."""
    require_at(engine, actor, "manager", "change a detector")
    with writing(engine) as connection:
        current = _current(connection, scenario, detector)
        before = _revision(connection, scenario, detector, revision - 1)
        until_ms = before.until_ms if (before.until_ms or 0) > now_ms else None
        restored = replace(
            current,
            enabled=before.enabled,
            parameters=before.parameters,
            revision=current.revision + 1,
            reason=before.reason,
            until_ms=until_ms,
        )
        return _keep(connection, actor.name, restored, now_ms, revision)


def switch_history(
    engine: sa.Engine, scenario: str, detector: str | None = None, limit: int = 200
) -> list[SwitchChange]:
    """The changes of one or all detectors of a scenario, newest first."""
    query = sa.select(*_change_columns()).where(_past.c.scenario == scenario)
    if detector is not None:
        query = query.where(_past.c.detector == detector)
    with engine.connect() as connection:
        return [
            SwitchChange(*row)
            for row in connection.execute(query.order_by(_past.c.number.desc()).limit(limit))
        ]


def record_applied(engine: sa.Engine, scenario: str, detector: str, revision: int, *, now_ms: int) -> None:
    """The pipeline has taken the change over."""
    mine = (_past.c.scenario == scenario, _past.c.detector == detector, _past.c.revision == revision)
    with writing(engine) as connection:
        pending = sa.update(_past).where(*mine, _past.c.applied_ms.is_(None))
        connection.execute(pending.values(applied_ms=now_ms))


ITSELF = "pipeline"  # as history names it
_FILE = "scenario file"
_CHANGED_FILE = "detector's file"
_VERSION, _CATALOG, _LEARNED = "version ", "catalog", "learned"
_table = schema.switches
_past = schema.switch_history


def _current(connection: sa.Connection, scenario: str, detector: str) -> Switch:
    row = connection.execute(_mine(scenario, detector).with_for_update()).first()
    if row is None:
        raise LookupError(f"scenario {scenario} has no detector {detector}")
    return Switch(**row._mapping)


def _mine(scenario: str, detector: str) -> sa.Select[Any]:
    return sa.select(*schema.told(_table)).where(_table.c.scenario == scenario, _table.c.detector == detector)


def _revision(connection: sa.Connection, scenario: str, detector: str, revision: int) -> SwitchChange:
    mine = (_past.c.scenario == scenario, _past.c.detector == detector, _past.c.revision == revision)
    row = connection.execute(sa.select(*_change_columns()).where(*mine)).first()
    if row is None:
        raise LookupError(f"detector {detector} of {scenario} has no change before revision {revision + 1}")
    return SwitchChange(*row)


def _keep(connection: sa.Connection, actor: str, changed: Switch, now_ms: int, undoes: int | None) -> Switch:
    mine = (_table.c.scenario == changed.scenario, _table.c.detector == changed.detector)
    connection.execute(sa.update(_table).where(*mine).values(asdict(changed)))
    _note(connection, changed, actor, now_ms, undoes)
    _tell(connection, changed, actor, now_ms)
    return changed


def _tell(connection: sa.Connection, changed: Switch, actor: str, now_ms: int) -> None:
    """Read by ingest, which appends the change to the log: so it has a place in the stream, with the query
    itself, because the detector's file may be another when the log is read again."""
    told = asdict(changed) | {"actor": actor}
    if changed.enabled and (detector := detectors.load().get(changed.detector)) is not None:
        told |= {"query": detector.query, "values": detector.still_valid(changed.parameters)}
        told |= {"breaks": detector.breaks} if detector.breaks else {}
    enqueue(connection, [(topics.CONTROL, json.dumps(told))], now_ms)


def _note(connection: sa.Connection, changed: Switch, actor: str, now_ms: int, undoes: int | None) -> None:
    line = SwitchChange(**asdict(changed), at_ms=now_ms, actor=actor, undoes=undoes, applied_ms=None)
    connection.execute(sa.insert(_past).values(asdict(line)))


def _change_columns() -> list[sa.Column[Any]]:
    return [_past.c[name] for name in SwitchChange.__dataclass_fields__]
