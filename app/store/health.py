"""What is known about the readers: last seen, rate, faults, and the times in which each was silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import sqlalchemy as sa

from app.store import schema
from app.store.database import upsert, writing

VIGIL = ""  # stands for all readers: the times in which Vigil itself did not listen


@dataclass(frozen=True)
class ReaderState:
    """A reader as it stands; `silent_since_ms` is empty while it is heard."""

    reader: str
    area: str
    last_seen_ms: int | None = None
    readings: int = 0
    per_second: float = 0.0
    silent_since_ms: int | None = None
    overflows: int = 0
    antenna_faults: int = 0
    offset_ms: int | None = None  # how far its clock is ahead, once that is known
    clock_jumps: int = 0
    late_share: float = 0.0  # of its readings of the last minutes


@dataclass(frozen=True)
class Silence:
    reader: str
    from_ms: int
    until_ms: int | None


@dataclass(frozen=True)
class HeldReadings:
    """What a reader had held back and delivered between two moments; `oldest_ms` is its oldest reading."""

    reader: str
    from_ms: int
    until_ms: int
    oldest_ms: int
    readings: int


def record_readers(connection: sa.Connection, readers: Sequence[ReaderState]) -> None:
    upsert(connection, schema.readers, [asdict(reader) for reader in readers])


def record_silences(connection: sa.Connection, silences: Sequence[Silence]) -> None:
    """Silences that began or ended: the same reader and beginning overwrite."""
    upsert(connection, schema.silences, [asdict(silence) for silence in silences])


def cut_silences(connection: sa.Connection, told: Silence) -> int | None:
    """The reader has told of this time after all: it leaves its silences; from when on, if there were any."""
    table = schema.silences
    mine = sa.and_(
        table.c.reader == told.reader, table.c.from_ms < told.until_ms, table.c.until_ms > told.from_ms
    )
    found = [Silence(*row) for row in connection.execute(sa.select(*schema.told(table)).where(mine))]
    if not found:
        return None
    connection.execute(sa.delete(table).where(mine))
    record_silences(connection, [part for one in found for part in _outside(one, told)])
    return min(one.from_ms for one in found)


def _outside(silence: Silence, told: Silence) -> list[Silence]:
    """What is left of an ended silence."""
    assert silence.until_ms is not None
    assert told.until_ms is not None
    parts = [
        Silence(silence.reader, silence.from_ms, min(silence.until_ms, told.from_ms)),
        Silence(silence.reader, max(silence.from_ms, told.until_ms), silence.until_ms),
    ]
    return [part for part in parts if part.until_ms is not None and part.from_ms < part.until_ms]


def record_held(connection: sa.Connection, held: Sequence[HeldReadings]) -> None:
    """Deliveries that began or grew: the same reader and beginning overwrite."""
    upsert(connection, schema.held_readings, [asdict(one) for one in held])


def list_held(engine: sa.Engine, since_ms: int) -> list[HeldReadings]:
    """What was delivered late after a moment, the latest first."""
    table = schema.held_readings
    query = (
        sa.select(*schema.told(table)).where(table.c.until_ms >= since_ms).order_by(table.c.until_ms.desc())
    )
    with engine.connect() as connection:
        return [HeldReadings(*row) for row in connection.execute(query)]


def list_readers(engine: sa.Engine) -> list[ReaderState]:
    table = schema.readers
    with engine.connect() as connection:
        return [
            ReaderState(*row)
            for row in connection.execute(sa.select(*schema.told(table)).order_by(table.c.reader))
        ]


def silences_between(engine: sa.Engine, from_ms: int, until_ms: int) -> list[Silence]:
    """The silences of all readers that touch this time, oldest first."""
    with engine.connect() as connection:
        return silences_in(connection, from_ms, until_ms)


def silences_in(connection: sa.Connection, from_ms: int, until_ms: int) -> list[Silence]:
    """The same inside a transaction of the caller's."""
    table = schema.silences
    ended_before = sa.func.coalesce(table.c.until_ms, until_ms) < from_ms
    query = sa.select(*schema.told(table)).where(table.c.from_ms <= until_ms, sa.not_(ended_before))
    return [Silence(*row) for row in connection.execute(query.order_by(table.c.from_ms, table.c.reader))]


def silent_ms(reader: str, from_ms: int, until_ms: int, silences: Sequence[Silence]) -> int:
    """For how long of this time the reader was not watched; times that overlap count once."""
    mine = sorted(
        (one.from_ms, until_ms if one.until_ms is None else one.until_ms)
        for one in silences
        if one.reader == reader
    )
    total, counted = 0, from_ms
    for since, until in mine:
        low, high = max(since, counted), min(until, until_ms)
        total += max(0, high - low)
        counted = max(counted, high)
    return total


def availability(engine: sa.Engine, readers: Sequence[str], from_ms: int, until_ms: int) -> dict[str, float]:
    """The share of the time in which each reader was heard, and Vigil listened."""
    silences = silences_between(engine, from_ms, until_ms)
    length = max(1, until_ms - from_ms)
    return {
        name: 1 - silent_ms(name, from_ms, until_ms, [_of(name, one) for one in silences]) / length
        for name in readers
    }


def _of(reader: str, silence: Silence) -> Silence:
    """Where Vigil itself did not listen, the reader was not heard either."""
    return replace(silence, reader=reader) if silence.reader == VIGIL else silence


@dataclass(frozen=True)
class PartState:
    """A process of Vigil (broker, ingest, …): `state` is up, starting or down, with what it last said."""

    name: str
    state: str
    since_ms: int
    beat_ms: int
    detail: str = ""


def record_part(engine: sa.Engine, name: str, state: str, detail: str, now_ms: int) -> None:
    """A sign of life; `since_ms` moves only when the state changes."""
    table = schema.parts
    with writing(engine) as connection:
        known = connection.execute(sa.select(*schema.told(table)).where(table.c.name == name)).first()
        since = known.since_ms if known is not None and known.state == state else now_ms
        upsert(connection, table, [asdict(PartState(name, state, since, now_ms, detail))])


def list_parts(engine: sa.Engine) -> list[PartState]:
    table = schema.parts
    with engine.connect() as connection:
        return [
            PartState(*row)
            for row in connection.execute(sa.select(*schema.told(table)).order_by(table.c.name))
        ]


def forget_parts(engine: sa.Engine) -> None:
    """A new start begins with a clean sheet."""
    with writing(engine) as connection:
        connection.execute(sa.delete(schema.parts))
