"""Which errors of a store pass by waiting, and what to say about those that do not."""

from __future__ import annotations

import sqlite3

import sqlalchemy as sa

# Busy, locked, no memory, interrupted, input/output, full, cannot be opened, protocol.
_SQLITE_PASSING = frozenset({5, 6, 7, 9, 10, 13, 14, 15})
# Of PostgreSQL's classes: connection, transaction rolled back, insufficient resources, limits, not in the
# right state, operator intervention, system error; and a server that is (still) a standby.
_POSTGRES_PASSING = ("08", "40", "53", "54", "55", "57", "58", "25006")
_WORDS = {
    8: "it cannot be written to: check the rights of the file and its folder",
    11: "the file is damaged: restore it from a backup",
    26: "the file is no SQLite database",
}


class StoreBrokenError(Exception):
    """A store that no waiting heals: somebody must look after it. The text says what is wrong."""


def can_heal(error: sa.exc.SQLAlchemyError) -> bool:
    """Whether it may go by itself, as a server that is away, a full disk or a locked file."""
    origin = getattr(error, "orig", None)
    if isinstance(origin, sqlite3.Error):
        return getattr(origin, "sqlite_errorcode", 1) & 0xFF in _SQLITE_PASSING
    state = getattr(origin, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_POSTGRES_PASSING)
    return isinstance(error, sa.exc.OperationalError | sa.exc.InterfaceError | sa.exc.TimeoutError)


def broken(error: sa.exc.SQLAlchemyError) -> StoreBrokenError:
    """The same in words for a person."""
    origin = getattr(error, "orig", None) or error
    code = getattr(origin, "sqlite_errorcode", 0) & 0xFF
    said = " ".join(str(origin).split())
    return StoreBrokenError(f"the store cannot be used: {_WORDS.get(code, said)}")
