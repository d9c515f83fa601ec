"""All rows of a store as lines of JSON and back, on SQLite and PostgreSQL alike."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic.script import ScriptDirectory

from app.store.by_site import across_sites, site_of
from app.store.database import alembic_config, migrate, writing
from app.store.schema import SITE

_REVISION = "alembic_version"
_AT_ONCE = 500


def dump(engine: sa.Engine) -> Iterator[str]:
    """First the schema's revision, then every row as [table, {column: value}], of one moment."""
    known = _tables(engine)
    level = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {}
    with engine.connect().execution_options(**level) as connection:
        yield json.dumps(revision(connection))
        for table in known.sorted_tables:
            if table.name != _REVISION:
                for row in connection.execute(sa.select(table).order_by(*table.primary_key)):
                    yield json.dumps([table.name, dict(row._mapping)])


def revision(connection: sa.Connection) -> str:
    """The schema's; empty if there is none yet."""
    if not sa.inspect(connection).has_table(_REVISION):
        return ""
    return str(connection.execute(sa.text(f"SELECT version_num FROM {_REVISION}")).scalar() or "")


def newest_revision(engine: sa.Engine) -> str:
    """The schema that this version of Vigil works with."""
    with engine.connect() as connection:
        return ScriptDirectory.from_config(alembic_config(connection)).get_current_head() or ""


def load(engine: sa.Engine, lines: Iterable[str]) -> None:
    """Make the store what the lines say, whatever it holds, and bring it to the current schema. Where other
    sites are in it, only what this one has is replaced."""
    told = iter(lines)
    written_by = json.loads(next(told))
    if other_sites(engine):
        _load_own(engine, told)
        return
    engine = across_sites(engine)
    _tables(engine).drop_all(engine)
    migrate(engine, written_by)
    known = _tables(engine)
    with writing(engine) as connection:
        for name, rows in groupby(map(json.loads, told), lambda row: row[0]):
            for part in _parts([values for _, values in rows]):
                connection.execute(sa.insert(known.tables[name]), part)
        if engine.dialect.name == "postgresql":
            _set_serials(connection, known)
    migrate(engine)


def other_sites(engine: sa.Engine) -> list[str]:
    """Those that have something in this store, beside the one it was opened for."""
    mine, every = site_of(engine), across_sites(engine)
    found: set[str] = set()
    with every.connect() as connection:
        for table in _tables(every).sorted_tables:
            if SITE in table.c:
                others = sa.select(table.c[SITE]).where(table.c[SITE] != mine).distinct()
                found.update(connection.execute(others).scalars())
    return sorted(found)


def why_not(engine: sa.Engine, written_by: str) -> str:
    """Why rows of that revision cannot be loaded into this store; empty if they can."""
    if other_sites(engine) and written_by != newest_revision(engine):
        return "it is of an earlier version, and the store holds other sites too: restore it into another one"
    return ""


def _load_own(engine: sa.Engine, told: Iterable[str]) -> None:
    """Numbers that the database gives are given anew: others may have them by now."""
    known = _tables(engine)
    own = [table for table in known.sorted_tables if SITE in table.c]
    with writing(engine) as connection:
        for table in reversed(own):
            connection.execute(sa.delete(table))
        for name, rows in groupby(map(json.loads, told), lambda row: row[0]):
            if SITE in known.tables[name].c:
                for part in _parts([_unnumbered(values) for _, values in rows]):
                    connection.execute(sa.insert(known.tables[name]), part)


def _unnumbered(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "number"}


def is_empty(engine: sa.Engine) -> bool:
    """Whether nobody has used the store: no alert, no account, no switch."""
    known = _tables(engine)
    used = [known.tables[name] for name in ("alerts", "accounts", "switches") if name in known.tables]
    with engine.connect() as connection:
        return all(connection.execute(sa.select(table).limit(1)).first() is None for table in used)


def _tables(engine: sa.Engine) -> sa.MetaData:
    found = sa.MetaData()
    found.reflect(engine)
    return found


def _parts(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows), _AT_ONCE):
        yield rows[start : start + _AT_ONCE]


def _set_serials(connection: sa.Connection, known: sa.MetaData) -> None:
    """Numbers that the database gives go on after those that were loaded."""
    for table in known.sorted_tables:
        for column in table.columns:
            named = sa.func.pg_get_serial_sequence(table.name, column.name)
            serial = connection.execute(sa.select(named)).scalar()
            if serial is not None:
                most = sa.select(sa.func.max(column)).scalar_subquery()
                connection.execute(sa.select(sa.func.setval(serial, sa.func.coalesce(most, 1))))
