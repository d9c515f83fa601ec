"""Opening the store: SQLite in WAL mode or PostgreSQL by URL, migrated to the current schema."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.dialects import postgresql, sqlite

from app.store import by_site

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_MS = 30_000
MOST_VALUES = 10_000  # in one statement; PostgreSQL takes 65,535, stock builds of SQLite 32,766
# A database that no longer answers is told apart from one that works: nothing waits for ever.
_PATIENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}


def connect(url: str, site: str = "") -> sa.Engine:
    """The engine for a store URL and one of its sites; nothing is opened before it is used."""
    parsed = sa.make_url(url)
    engine = _sqlite(parsed) if parsed.get_backend_name() == "sqlite" else _postgresql(parsed)
    by_site.hold(engine)
    return by_site.at_site(engine, site)


def open_store(url: str, site: str = "") -> sa.Engine:
    """The store of a site, created or migrated to the current schema if need be."""
    engine = connect(url, site)
    migrate(engine)
    return engine


def find_store(url: str, site: str = "") -> sa.Engine:
    """The store as it stands, for a look: nothing is created or migrated; OSError if there is none."""
    database = sa.make_url(url).database
    if sa.make_url(url).get_backend_name() == "sqlite" and not Path(database or "").is_file():
        raise FileNotFoundError(f"there is no store at {database}: nothing has run there yet")
    return connect(url, site)


def migrate(engine: sa.Engine, revision: str = "head") -> None:
    """Bring the schema to `revision`; two processes may try at once, one waits for the other."""
    with _exclusive(engine) as connection:
        logging.getLogger("alembic").setLevel(logging.WARNING)  # it else tells every opening of the store
        command.upgrade(alembic_config(connection), revision)


def alembic_config(connection: sa.Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction that will write: SQLite takes its lock at once and waits, instead of failing later."""
    with engine.connect().execution_options(vigil_writes=True) as connection, connection.begin():
        yield connection


def insert_new(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows whose primary key is not there yet."""
    if rows:
        connection.execute(_insert(connection, table).on_conflict_do_nothing(), _fitted(table, rows))


def upsert(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, or overwrite the columns given where the primary key is already there."""
    if not rows:
        return
    statement = _insert(connection, table)
    key = [column.name for column in table.primary_key]
    given = {name: statement.excluded[name] for name in rows[0] if name not in key}
    connection.execute(statement.on_conflict_do_update(index_elements=key, set_=given), _fitted(table, rows))


def in_parts(
    connection: sa.Connection, query: sa.Select[Any], column: sa.Column[Any], values: Sequence[str]
) -> Iterator[sa.Row[Any]]:
    """The query's rows with one of the values in the column, however many these are."""
    for start in range(0, len(values), MOST_VALUES):
        yield from connection.execute(query.where(column.in_(values[start : start + MOST_VALUES])))


def _fitted(table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Texts cut to the length of their columns: no name that a message brings may stop those who keep it."""
    lengths = {column.name: getattr(column.type, "length", None) for column in table.columns}
    return [{name: _cut(value, lengths[name]) for name, value in row.items()} for row in rows]


def _cut(value: Any, length: int | None) -> Any:
    return value[:length] if length is not None and isinstance(value, str) else value


def _insert(connection: sa.Connection, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def _with_driver(url: sa.URL) -> sa.URL:
    plain = url.drivername in ("postgresql", "postgres")
    return url.set(drivername="postgresql+psycopg") if plain else url


def _postgresql(url: sa.URL) -> sa.Engine:
    patience = {name: value for name, value in _PATIENCE.items() if name not in url.query}
    return sa.create_engine(_with_driver(url), pool_pre_ping=True, pool_recycle=1800, connect_args=patience)


def _sqlite(url: sa.URL) -> sa.Engine:
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_MS / 1000})
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver's own transactions begin only at the first write: take them over (see _begin_sqlite).
    connection.isolation_level = None
    for pragma in (f"busy_timeout = {BUSY_MS}", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")
    _into_wal_mode(connection)


def _into_wal_mode(connection: Any) -> None:
    # A new file is changed over by whoever opens it first. SQLite refuses the others at once, whatever their
    # busy timeout: two that wait for each other here would wait for ever.
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as failure:
            if failure.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _begin_sqlite(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("vigil_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _exclusive(engine: sa.Engine) -> Iterator[sa.Connection]:
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(8610471)")
        yield connection
