"""Which troubles of a store pass by waiting, and that the others are told in words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import store as stores
from tests.app.postgres import Postgres


def error_of(engine: sa.Engine) -> sa.exc.SQLAlchemyError:
    """What a part meets that writes to it."""
    with pytest.raises(sa.exc.SQLAlchemyError) as met:
        stores.record_part(engine, "ingest", "up", "", 1)
    engine.dispose()
    return met.value


def damaged(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(os.urandom(8192))


def without_tables(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE parts")
    connection.close()


def no_database(path: Path) -> None:
    path.write_text("a letter to my aunt " * 200)


BROKEN: dict[str, tuple[Callable[[Path], None], str]] = {
    "damaged": (damaged, "the file is no SQLite database"),
    "another file": (no_database, "the file is no SQLite database"),
    "another schema": (without_tables, "no such table: parts"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_does_not_heal_and_is_told_in_words(tmp_path: Path, case: str) -> None:
    path, (harm, words) = tmp_path / "store.db", BROKEN[case]
    stores.open_store(f"sqlite:///{path}").dispose()
    harm(path)
    error = error_of(stores.connect(f"sqlite:///{path}"))
    assert not stores.can_heal(error)
    assert str(stores.broken(error)) == f"the store cannot be used: {words}"


def test_a_file_that_may_not_be_written_does_not_heal(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    stores.open_store(f"sqlite:///{path}").dispose()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    engine = sa.create_engine(f"sqlite:///file:{path}?mode=ro&uri=true")  # as root every file can be written
    error = error_of(engine)
    assert not stores.can_heal(error)
    assert "it cannot be written to" in str(stores.broken(error))


def test_a_file_that_is_locked_heals(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    stores.open_store(url).dispose()
    other = sqlite3.connect(tmp_path / "store.db")
    other.execute("BEGIN EXCLUSIVE")
    error = error_of(sa.create_engine(url, connect_args={"timeout": 0.01}))
    other.close()
    assert stores.can_heal(error)


def test_postgresql_that_is_away_heals_and_a_wrong_schema_does_not(postgres: Postgres) -> None:
    engine = stores.open_store(postgres.new_database())
    with engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE parts"))
    error = error_of(engine)
    assert not stores.can_heal(error)
    assert 'relation "parts" does not exist' in str(stores.broken(error))
    nobody = stores.connect("postgresql://vigil@127.0.0.1:1/vigil?connect_timeout=2")
    assert stores.can_heal(error_of(nobody))


def test_a_value_that_no_column_takes_does_not_heal(postgres: Postgres) -> None:
    engine = stores.open_store(postgres.new_database())
    with pytest.raises(sa.exc.DataError) as met, engine.begin() as connection:
        connection.execute(sa.text("INSERT INTO counters VALUES (repeat('x', 99), 1)"))
    engine.dispose()
    assert not stores.can_heal(met.value)
