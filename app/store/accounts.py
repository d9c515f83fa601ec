"""Local accounts: names, roles and argon2 hashes; changed by admins only, with every change on record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

import sqlalchemy as sa
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from app.store import schema
from app.store.actor import ROLES, Actor, require
from app.store.by_site import site_of
from app.store.database import insert_new, writing

SHORTEST_PASSWORD = 10
REFUSALS_KEPT_MS = 90 * 86_400_000


class AccountError(Exception):
    """The account cannot be made or changed like that; the message says why."""


@dataclass(frozen=True)
class Account:
    """An account without its hash; sign-ins of an earlier generation are no longer good."""

    name: str
    role: str
    generation: int
    active: bool
    sites: tuple[str, ...] = ("",)  # where it may go, if it is no admin's

    def may_enter(self, site: str) -> bool:
        return self.role == "admin" or site in self.sites


@dataclass(frozen=True)
class AccountChange:
    account: str
    at_ms: int
    actor: str
    action: str
    detail: dict[str, Any] = field(default_factory=dict)


def authenticate(engine: sa.Engine, name: str, password: str) -> Account | None:
    """The account if name and password fit; takes as long for an unknown name as for a wrong password."""
    query = sa.select(_table).where(_table.c.name == name, _table.c.active)
    with engine.connect() as connection:
        row = connection.execute(query).first()
        found = None if row is None else _account(connection, row)
    fits = _hasher().verify(password, _decoy() if row is None else row.password_hash)
    return found if fits else None


def find_account(engine: sa.Engine, name: str) -> Account | None:
    with engine.connect() as connection:
        row = connection.execute(sa.select(_table).where(_table.c.name == name)).first()
        return None if row is None else _account(connection, row)


def list_accounts(engine: sa.Engine) -> list[Account]:
    with engine.connect() as connection:
        found = connection.execute(sa.select(_table).order_by(_table.c.name)).all()
        return [_account(connection, row) for row in found]


def add_account(
    engine: sa.Engine,
    actor: Actor,
    name: str,
    role: str,
    password: str,
    *,
    now_ms: int,
    sites: Sequence[str] | None = None,
) -> Account:
    """An account for the site of the store, unless other sites are named."""
    require(actor, "admin", "add an account")
    enters = tuple(sorted({site_of(engine)} if sites is None else set(sites)))
    _check(name, role, password)
    _check_sites(engine, role, enters)
    row = {
        "name": name,
        "role": role,
        "password_hash": _hasher().hash(password),
        "generation": 1,
        "active": True,
    }
    with writing(engine) as connection:
        if connection.execute(sa.select(_table.c.name).where(_table.c.name == name)).first():
            raise AccountError(f"there is an account {name} already")
        connection.execute(sa.insert(_table).values(row))
        _let_into(connection, name, enters)
        line = AccountChange(name, now_ms, actor.name, "added", {"role": role, **_told(enters)})
        connection.execute(sa.insert(_past).values(asdict(line)))
    return Account(name, role, 1, True, enters)


def set_role(engine: sa.Engine, actor: Actor, name: str, role: str, *, now_ms: int) -> None:
    require(actor, "admin", "change a role")
    if role not in ROLES:
        raise AccountError(f"no such role: {role}; one of {', '.join(ROLES)}")
    account = find_account(engine, name)
    _check_sites(engine, role, account.sites if account else ())
    _change(engine, {"role": role}, AccountChange(name, now_ms, actor.name, "role", {"role": role}))


def set_sites(engine: sa.Engine, actor: Actor, name: str, sites: Sequence[str], *, now_ms: int) -> None:
    """Where an account may go that is not an admin's: staff to one site, managers to several."""
    require(actor, "admin", "change where somebody may go")
    account = find_account(engine, name)
    if account is None:
        raise AccountError(f"there is no account {name}")
    enters = tuple(sorted(set(sites)))
    _check_sites(engine, account.role, enters)
    line = AccountChange(name, now_ms, actor.name, "sites", {"sites": list(enters)})
    _change(engine, {}, line, lambda connection: _let_into(connection, name, enters))


def set_active(engine: sa.Engine, actor: Actor, name: str, active: bool, *, now_ms: int) -> None:
    """Let an account sign in, or no longer; accounts are never deleted because the histories name them."""
    require(actor, "admin", "close or open an account")
    action = "opened" if active else "closed"
    _change(engine, {"active": active}, AccountChange(name, now_ms, actor.name, action))


def set_password(engine: sa.Engine, actor: Actor, name: str, password: str, *, now_ms: int) -> None:
    """Admins set anyone's password, everybody else only their own."""
    if actor.name != name:
        require(actor, "admin", "set the password of somebody else")
    _check_password(password)
    hashed = {"password_hash": _hasher().hash(password)}
    _change(engine, hashed, AccountChange(name, now_ms, actor.name, "password"))


def record_refusal(engine: sa.Engine, name: str, sender: str, *, now_ms: int) -> None:
    """A sign-in that failed, for admins to see; who guesses for long does not fill the store."""
    line = AccountChange(name[:100] or "?", now_ms, sender[:100] or "?", "refused")
    old = (_past.c.action == line.action, _past.c.at_ms < now_ms - REFUSALS_KEPT_MS)
    with writing(engine) as connection:
        connection.execute(sa.delete(_past).where(*old))
        connection.execute(sa.insert(_past).values(asdict(line)))


def account_history(engine: sa.Engine, actor: Actor, limit: int = 200) -> list[AccountChange]:
    """Changes of accounts, newest first; for admins."""
    require(actor, "admin", "see the history of accounts")
    columns = [_past.c[name] for name in AccountChange.__dataclass_fields__]
    query = sa.select(*columns).order_by(_past.c.number.desc()).limit(limit)
    with engine.connect() as connection:
        return [AccountChange(*row) for row in connection.execute(query)]


_table = schema.accounts
_past = schema.account_history
_enters = schema.account_sites
_OF_ONE_SITE = ("viewer", "staff")


def _change(
    engine: sa.Engine,
    values: dict[str, Any],
    line: AccountChange,
    also: Callable[[sa.Connection], None] = lambda _connection: None,
) -> None:
    with writing(engine) as connection:
        _keep_an_admin(connection, line.account, values)
        changed = sa.update(_table).where(_table.c.name == line.account)
        outcome = connection.execute(changed.values(values | {"generation": _table.c.generation + 1}))
        if outcome.rowcount == 0:
            raise AccountError(f"there is no account {line.account}")
        also(connection)
        connection.execute(sa.insert(_past).values(asdict(line)))


def _keep_an_admin(connection: sa.Connection, name: str, values: dict[str, Any]) -> None:
    if values.get("role", "admin") == "admin" and values.get("active", True):
        return
    admins = sa.select(_table.c.name).where(_table.c.role == "admin", _table.c.active).with_for_update()
    if set(connection.execute(admins).scalars()) == {name}:
        raise AccountError(f"{name} is the only admin left: make another one first")


def _check(name: str, role: str, password: str) -> None:
    if not name.strip() or name != name.strip() or len(name) > 100:
        raise AccountError("a name has 1 to 100 characters and no blanks at its ends")
    if role not in ROLES:
        raise AccountError(f"no such role: {role}; one of {', '.join(ROLES)}")
    _check_password(password)


def _check_password(password: str) -> None:
    if len(password) < SHORTEST_PASSWORD:
        raise AccountError(f"a password needs at least {SHORTEST_PASSWORD} characters")


def _check_sites(engine: sa.Engine, role: str, sites: Sequence[str]) -> None:
    with engine.connect() as connection:
        known = {"", *connection.execute(sa.select(schema.sites.c.name)).scalars()}
    unknown = [site[:60] for site in sites if site not in known]
    if unknown:
        raise AccountError(f"there is no site {', '.join(unknown)}")
    if role in _OF_ONE_SITE and len(sites) > 1:
        raise AccountError(f"an account with the role {role} has one site: several are for a manager")


def _let_into(connection: sa.Connection, name: str, sites: Sequence[str]) -> None:
    connection.execute(sa.delete(_enters).where(_enters.c.account == name))
    insert_new(connection, _enters, [{"account": name, "enters": site} for site in sites])


def _told(sites: Sequence[str]) -> dict[str, Any]:
    """Of the one site without a name there is nothing to tell."""
    return {"sites": list(sites)} if any(sites) else {}


def _account(connection: sa.Connection, row: sa.Row[Any]) -> Account:
    mine = sa.select(_enters.c.enters).where(_enters.c.account == row.name).order_by(_enters.c.enters)
    sites = tuple(connection.execute(mine).scalars())
    return Account(row.name, row.role, row.generation, row.active, sites)


@cache
def _hasher() -> PasswordHash:
    return PasswordHash((Argon2Hasher(),))


@cache
def _decoy() -> str:
    return _hasher().hash("nobody has this password")
