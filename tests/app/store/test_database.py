"""Opening, migrating and sharing a store."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app import store as stores
from app.store import Alert, Evidence
from app.store.schema import metadata

BLANK = Alert("a1", "s", "d", "1", "low", "", "T1", "", 0, 0, 0, "", "", Evidence("", {}, ()))


def test_the_migrations_lead_to_the_schema_in_the_code(store: sa.Engine) -> None:
    with store.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_a_store_is_opened_by_many_at_once(store_url: str) -> None:
    failures: list[BaseException] = []

    def open_it() -> None:
        try:
            stores.open_store(store_url).dispose()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=open_it) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_writers_at_once_lose_nothing_and_every_change_has_its_own_number(store: sa.Engine) -> None:
    def write(writer: int) -> None:
        for number in range(20):
            alert = Alert(**(vars(BLANK) | {"id": f"{writer}-{number}"}))
            stores.record_alerts(store, [alert], now_ms=1)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    changes = [alert.change for alert in stores.changes_since(store, 0).alerts]
    assert changes == list(range(1, 81))


def test_sqlite_is_in_wal_mode(tmp_path: Path) -> None:
    engine = stores.open_store(f"sqlite:///{tmp_path / 'new' / 'store.db'}")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    engine.dispose()


def test_who_comes_second_to_a_new_store_waits_until_the_first_has_written(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as first:
        first.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.2, first.execute, ["COMMIT"])
        release.start()
        stores.open_store(f"sqlite:///{path}").dispose()
        release.join()
