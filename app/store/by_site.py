"""Whose rows a store shows and changes: each statement is held to the site that the store was opened for.

Here and nowhere else, so that no query can forget it: every SELECT, UPDATE and DELETE on a table with a site
is given the condition, inner ones too; what is inserted gets its site by the column's default.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql import visitors

from app.store.schema import SITE, SITE_OPTION

ALL_SITES = None


def at_site(engine: sa.Engine, site: str) -> sa.Engine:
    """The same store for another site."""
    return engine.execution_options(**{SITE_OPTION: site})


def across_sites(engine: sa.Engine) -> sa.Engine:
    """The same store with the rows of all: for app.store only, which asks who may see them."""
    return engine.execution_options(**{SITE_OPTION: ALL_SITES})


def site_of(store: sa.Engine | sa.Connection) -> str:
    """The site whose rows are shown; empty for the one without a name."""
    return store.get_execution_options().get(SITE_OPTION) or ""


def hold(engine: sa.Engine) -> None:
    sa.event.listen(engine, "before_execute", _held, retval=True)


def _held(
    connection: sa.Connection, statement: Any, many: Any, one: Any, _options: Any
) -> tuple[Any, Any, Any]:
    site = connection.get_execution_options().get(SITE_OPTION, "")
    if site is not ALL_SITES and isinstance(statement, sa.SelectBase | sa.Update | sa.Delete):
        statement = _of_site(statement, site)
    return statement, many, one


def _of_site(statement: Any, site: str) -> Any:
    def hold_read(select: Any) -> None:
        for table in [one for each in select.get_final_froms() for one in _tables(each)]:
            select._where_criteria += (table.c[SITE] == site,)

    def hold_change(change: Any) -> None:
        if SITE in change.table.c:
            change._where_criteria += (change.table.c[SITE] == site,)

    found = {"select": hold_read, "update": hold_change, "delete": hold_change}
    return visitors.cloned_traverse(statement, {}, found)


def _tables(source: Any) -> Iterator[Any]:
    """Those with a site; what stands in a SELECT of its own is held there."""
    if isinstance(source, sa.Join):
        yield from _tables(source.left)
        yield from _tables(source.right)
    elif isinstance(source, sa.Table | sa.Alias) and SITE in source.c:
        yield source
