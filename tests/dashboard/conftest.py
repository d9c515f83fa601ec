"""Places to show in tests: an empty one, a busy one and one whose store is broken."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from app import store
from app.store import Account
from dashboard.context import Context, set_context
from dashboard.sign_in import session
from dashboard.sign_in.cookies import COOKIE, DEMO, SignInCookies
from dashboard.truth.heard import DemoTruth
from tests.dashboard import chromium, seed

SignIn = Callable[[Context, Account], None]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, once for all tests."""
    if not chromium.PROGRAM.exists():
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        launched = chromium.launch(playwright)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def busy_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Filling it takes seconds: once, and copied."""
    path = tmp_path_factory.mktemp("busy") / "store.db"
    engine = store.open_store(f"sqlite:///{path}")
    seed.accounts(engine, seed.NOW)
    seed.busy(engine, seed.NOW)
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Context]:
    yield from _opened(tmp_path / "store.db")


@pytest.fixture
def busy(tmp_path: Path, busy_file: Path) -> Iterator[Context]:
    shutil.copy(busy_file, tmp_path / "store.db")
    yield from _opened(tmp_path / "store.db")


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[Context]:
    (tmp_path / "store.db").write_bytes(b"this is no database" * 1000)
    engine = store.connect(f"sqlite:///{tmp_path / 'store.db'}")
    yield Context(engine, seed.shop(), demo=True, truth=DemoTruth(lambda: seed.NOW), now_ms=lambda: seed.NOW)
    engine.dispose()


@pytest.fixture
def sign_in(monkeypatch: pytest.MonkeyPatch) -> SignIn:
    """Show a place to a browser that holds a genuine cookie of the account."""

    def signed_in(context: Context, account: Account = DEMO) -> None:
        set_context(context)
        cookie = {COOKIE: SignInCookies(context).issue(account)}
        monkeypatch.setattr(session, "cookies", lambda: cookie)

    return signed_in


def _opened(path: Path) -> Iterator[Context]:
    engine = store.open_store(f"sqlite:///{path}")
    yield Context(engine, seed.shop(), demo=True, now_ms=lambda: seed.NOW)
    engine.dispose()
