"""Which place the processes of a site watch, and whether the site is still there."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from app import store
from app.place.find import find_scenario
from app.settings import Settings


class SiteRemovedError(RuntimeError):
    """Nobody wants to know any more what happens there."""


def find_place(named: str | None, chosen: Settings) -> Path:
    """The scenario's file that was named, else that of the site; LookupError if there is neither."""
    if not chosen.site:
        if named is None:
            raise LookupError("which place? Name its scenario, or set `site` to a site that was added")
        return find_scenario(named)
    engine = store.open_store(chosen.store, chosen.site)
    try:
        site = store.find_site(engine, chosen.site)
    finally:
        engine.dispose()
    if site is None:
        raise LookupError(
            f"the store has no site {chosen.site}: `vigil site add {chosen.site} SCENARIO` adds it"
        )
    return find_scenario(site.scenario if named is None else named)


def check_still_there(engine: sa.Engine) -> None:
    site = store.site_of(engine)
    if site and store.find_site(engine, site) is None:
        raise SiteRemovedError(f"the site {site} has been removed: nothing of it is watched any more")
