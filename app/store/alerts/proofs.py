"""What becomes known of the watching after an alert was raised changes what the alert proves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace

import sqlalchemy as sa

from app.mqtt import topics
from app.store import schema
from app.store.alerts.alert import Absence, Alert, Clause, Evidence, ExpectedReader, Step, columns, from_row
from app.store.counters import add_to
from app.store.health import Silence, silences_in, silent_ms
from app.store.outbox import enqueue

UNPROVEN, PROVEN = "unproven", "proven"


def revise_proofs(connection: sa.Connection, since_ms: int, now_ms: int) -> list[Alert]:
    """Look again at every alert that was raised later than `since_ms`, from when on silences have changed;
    those that are now proven, or no longer."""
    table = schema.alerts
    query = sa.select(*columns()).where(table.c.detected_ms >= since_ms)
    found = [from_row(row) for row in connection.execute(query)]
    absent = [absence for alert in found for absence in alert.evidence.absent if absence.readers]
    if not absent:
        return []
    span = min(one.from_ms for one in absent), max(one.until_ms for one in absent)
    silences = silences_in(connection, *span)
    pairs = [(alert, replace(alert, evidence=_revised(alert.evidence, silences))) for alert in found]
    changed = [_judged(after) for before, after in pairs if _readers(before) != _readers(after)]
    return [_keep(connection, alert, now_ms) for alert in changed]


def is_proven(absent: Sequence[Absence]) -> bool:
    """Whether every reader that would have seen an absent event was watched all the time."""
    return all(reader.alive for absence in absent for reader in absence.readers)


def expected(reader: str, from_ms: int, until_ms: int, silences: Sequence[Silence]) -> ExpectedReader:
    silent = silent_ms(reader, from_ms, until_ms, silences)
    return ExpectedReader(reader, silent == 0, silent)


def _revised(evidence: Evidence, silences: Sequence[Silence]) -> Evidence:
    absent = tuple(
        replace(
            one,
            readers=tuple(expected(r.reader, one.from_ms, one.until_ms, silences) for r in one.readers),
        )
        for one in evidence.absent
    )
    doubtful = {one.variable for one in absent if not is_proven([one])}
    names = {one.variable for one in absent}
    clauses = tuple(
        replace(one, holds=doubtful.isdisjoint(one.variables)) if _rests_on(one, names) else one
        for one in evidence.clauses
    )
    return replace(evidence, absent=absent, clauses=clauses)


def _rests_on(clause: Clause, names: set[str]) -> bool:
    return not names.isdisjoint(clause.variables)


def _readers(alert: Alert) -> list[tuple[str, str, bool]]:
    return [(one.variable, r.reader, r.alive) for one in alert.evidence.absent for r in one.readers]


def _judged(alert: Alert) -> Alert:
    return replace(alert, unproven=not is_proven(alert.evidence.absent))


def _keep(connection: sa.Connection, alert: Alert, now_ms: int) -> Alert:
    change = add_to(connection, "change", 1)
    table = schema.alerts
    values = {"unproven": alert.unproven, "evidence": asdict(alert.evidence), "change": change}
    connection.execute(sa.update(table).where(table.c.id == alert.id).values(values))
    silent = sorted({r.reader for one in alert.evidence.absent for r in one.readers if not r.alive})
    step = Step(
        alert.id, now_ms, "pipeline", UNPROVEN if alert.unproven else PROVEN, {"readers": ", ".join(silent)}
    )
    connection.execute(sa.insert(schema.history).values(asdict(step)))
    told = json.dumps(asdict(replace(alert, change=change)), ensure_ascii=False)
    enqueue(connection, [(topics.CHANGED, told)], now_ms)
    return alert
