"""Accounts: who may sign in, who may change what, and what is written down."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import Account, Actor
from app.store import schema as tables

ADMIN, STAFF = Actor("ada", "admin"), Actor("stan", "staff")
PASSWORD = "correct horse"


@pytest.fixture
def staffed(store: sa.Engine) -> sa.Engine:
    stores.add_account(store, ADMIN, "ada", "admin", PASSWORD, now_ms=1)
    stores.add_account(store, ADMIN, "stan", "staff", PASSWORD, now_ms=2)
    return store


def test_the_right_password_signs_in(staffed: sa.Engine) -> None:
    assert stores.authenticate(staffed, "stan", PASSWORD) == Account("stan", "staff", 1, True)


@pytest.mark.parametrize(("name", "password"), [("stan", "wrong horse"), ("nobody", PASSWORD), ("", "")])
def test_anything_else_does_not(staffed: sa.Engine, name: str, password: str) -> None:
    assert stores.authenticate(staffed, name, password) is None


def test_a_closed_account_cannot_sign_in(staffed: sa.Engine) -> None:
    stores.set_active(staffed, ADMIN, "stan", False, now_ms=3)
    assert stores.authenticate(staffed, "stan", PASSWORD) is None


def test_passwords_are_kept_as_argon2_hashes(staffed: sa.Engine) -> None:
    with staffed.connect() as connection:
        kept = connection.execute(sa.select(tables.accounts.c.password_hash)).scalars().all()
    assert all(value.startswith("$argon2id$") for value in kept)
    assert len(set(kept)) == 2


def test_a_changed_password_ends_earlier_sign_ins(staffed: sa.Engine) -> None:
    stores.set_password(staffed, STAFF, "stan", "another horse", now_ms=3)
    assert stores.authenticate(staffed, "stan", PASSWORD) is None
    assert stores.authenticate(staffed, "stan", "another horse") == Account("stan", "staff", 2, True)


def test_the_last_admin_stays(staffed: sa.Engine) -> None:
    with pytest.raises(stores.AccountError, match="only admin left"):
        stores.set_role(staffed, ADMIN, "ada", "staff", now_ms=3)
    with pytest.raises(stores.AccountError, match="only admin left"):
        stores.set_active(staffed, ADMIN, "ada", False, now_ms=3)
    stores.set_role(staffed, ADMIN, "stan", "admin", now_ms=4)
    stores.set_role(staffed, ADMIN, "ada", "viewer", now_ms=5)
    assert [account.role for account in stores.list_accounts(staffed)] == ["viewer", "admin"]


BAD: dict[str, tuple[Callable[[sa.Engine], object], str]] = {
    "taken name": (lambda s: stores.add_account(s, ADMIN, "stan", "staff", PASSWORD, now_ms=3), "already"),
    "blank name": (lambda s: stores.add_account(s, ADMIN, " x", "staff", PASSWORD, now_ms=3), "no blanks"),
    "short password": (
        lambda s: stores.add_account(s, ADMIN, "x", "staff", "short", now_ms=3),
        "at least 10",
    ),
    "unknown role": (lambda s: stores.add_account(s, ADMIN, "x", "boss", PASSWORD, now_ms=3), "no such role"),
    "change to unknown role": (lambda s: stores.set_role(s, ADMIN, "stan", "boss", now_ms=3), "no such role"),
    "unknown account": (lambda s: stores.set_role(s, ADMIN, "x", "staff", now_ms=3), "no account x"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_is_refused_with_the_reason(staffed: sa.Engine, case: str) -> None:
    change, reason = BAD[case]
    with pytest.raises(stores.AccountError, match=reason):
        change(staffed)


FOR_ADMINS: dict[str, Callable[[sa.Engine], object]] = {
    "add": lambda s: stores.add_account(s, STAFF, "x", "staff", PASSWORD, now_ms=3),
    "role": lambda s: stores.set_role(s, STAFF, "stan", "admin", now_ms=3),
    "close": lambda s: stores.set_active(s, STAFF, "ada", False, now_ms=3),
    "password of another": lambda s: stores.set_password(s, STAFF, "ada", PASSWORD, now_ms=3),
    "history": lambda s: stores.account_history(s, STAFF),
}


@pytest.mark.parametrize("case", FOR_ADMINS)
def test_only_admins_manage_accounts(staffed: sa.Engine, case: str) -> None:
    with pytest.raises(stores.RefusedError, match="needs the role admin"):
        FOR_ADMINS[case](staffed)


def test_changes_of_accounts_are_on_record_without_passwords(staffed: sa.Engine) -> None:
    stores.set_password(staffed, ADMIN, "stan", "another horse", now_ms=3)
    lines = stores.account_history(staffed, ADMIN)
    assert [(line.account, line.actor, line.action, line.detail) for line in lines] == [
        ("stan", "ada", "password", {}),
        ("stan", "ada", "added", {"role": "staff"}),
        ("ada", "ada", "added", {"role": "admin"}),
    ]
