"""The sites that share a store: admins add and remove them; how each stands, for those who may go there."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import asdict, dataclass, field

import sqlalchemy as sa

from app import site_name
from app.store import schema
from app.store.accounts import Account
from app.store.actor import Actor, require
from app.store.alerts.incident_search import severity_rank
from app.store.alerts.incidents import OPEN
from app.store.by_site import across_sites, at_site, site_of
from app.store.database import writing

# A site whose processes have told nothing for this long does not reach the store.
CUT_OFF_MS = 60_000
_table = schema.sites


class SiteError(Exception):
    """There cannot be such a site, or there is none; the message says why."""


@dataclass(frozen=True)
class Site:
    """A store of a chain. `scenario` is its file, or the name of one that comes with Vigil; at `log_url`
    pages that are not at the site can read its recording."""

    name: str
    title: str
    scenario: str
    timezone: str
    log_url: str = ""
    added_ms: int = 0
    x: float | None = None  # on a map: degrees east if it is one of the earth, else of a plan
    y: float | None = None
    on_earth: bool = False


@dataclass(frozen=True)
class SiteState:
    """How a site stands: open incidents by their worst alert, readers that are not heard, and when it was
    last heard of; `cut_off_ms` is that moment if it was too long ago."""

    site: Site
    open: dict[str, int] = field(default_factory=dict)
    readers: int = 0
    down: int = 0
    heard_ms: int | None = None
    cut_off_ms: int | None = None

    @property
    def name(self) -> str:
        return self.site.name

    @property
    def title(self) -> str:
        return self.site.title


def add_site(engine: sa.Engine, actor: Actor, site: Site) -> None:
    """What an earlier site of this name has left behind is no part of the new one."""
    require(actor, "admin", "add a site")
    words = site_name.fault(site.name)
    if words:
        raise SiteError(words)
    if not site.title.strip() or len(site.title) > 200:
        raise SiteError("a site's title has 1 to 200 characters")
    if words := _misplaced(site):
        raise SiteError(words)
    with writing(at_site(engine, site.name)) as connection:
        if connection.execute(sa.select(_table.c.name).where(_table.c.name == site.name)).first():
            raise SiteError(f"there is a site {site.name} already")
        _forget(connection)
        connection.execute(sa.insert(_table).values(asdict(site)))


def remove_site(engine: sa.Engine, actor: Actor, name: str) -> None:
    """With everything that it has in the store; its own machine keeps its recording."""
    require(actor, "admin", "remove a site")
    enters = schema.account_sites
    with writing(at_site(engine, name)) as connection:
        if connection.execute(sa.delete(_table).where(_table.c.name == name)).rowcount == 0:
            raise SiteError(f"there is no site {name[: site_name.LONGEST_NAME]}")
        connection.execute(sa.delete(enters).where(enters.c.enters == name))
        _forget(connection)


def forget_removed(engine: sa.Engine) -> None:
    """What the last processes of a site that was removed have written after that."""
    with writing(engine) as connection:
        gone = sa.select(_table.c.name).where(_table.c.name == site_of(engine))
        if connection.execute(gone).first() is None:
            _forget(connection)


def find_site(engine: sa.Engine, name: str) -> Site | None:
    with engine.connect() as connection:
        row = connection.execute(sa.select(_table).where(_table.c.name == name)).first()
    return None if row is None else Site(**row._mapping)


def list_sites(engine: sa.Engine) -> list[Site]:
    with engine.connect() as connection:
        return [Site(**row._mapping) for row in connection.execute(sa.select(_table).order_by(_table.c.name))]


def site_states(engine: sa.Engine, account: Account, now_ms: int) -> list[SiteState]:
    """Of the sites that the account may enter, and of no other."""
    sites = [site for site in list_sites(engine) if account.may_enter(site.name)]
    names = [site.name for site in sites]
    with across_sites(engine).connect() as connection:
        waiting = _open(connection, names, now_ms)
        readers, down = _readers(connection, names)
        heard = _heard(connection, names)
    return [
        SiteState(
            site,
            waiting.get(site.name, {}),
            readers.get(site.name, 0),
            down.get(site.name, 0),
            heard.get(site.name),
            _cut_off(heard.get(site.name), now_ms),
        )
        for site in sites
    ]


def _misplaced(site: Site) -> str:
    """Why it can be on no map; empty if it can, or need not."""
    if site.x is None or site.y is None:
        return "" if site.x is None and site.y is None else "a place on a map has two coordinates"
    if not (math.isfinite(site.x) and math.isfinite(site.y)):
        return "a place on a map has coordinates that are numbers"
    if site.on_earth and not (abs(site.x) <= 180 and abs(site.y) <= 90):
        return "latitude is from -90 to 90 and longitude from -180 to 180"
    return ""


def _cut_off(heard_ms: int | None, now_ms: int) -> int | None:
    return heard_ms if heard_ms is not None and now_ms - heard_ms > CUT_OFF_MS else None


def _open(connection: sa.Connection, names: list[str], now_ms: int) -> dict[str, dict[str, int]]:
    """Each incident once, under its worst severity."""
    alerts = schema.alerts
    awake = sa.func.coalesce(alerts.c.snoozed_until_ms, 0) <= now_ms
    query = sa.select(alerts.c.site, alerts.c.incident, alerts.c.severity).distinct()
    query = query.where(alerts.c.state.in_(OPEN), alerts.c.site.in_(names), awake)
    of: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for site, incident, severity in connection.execute(query):
        of[site, incident].add(severity)
    found: dict[str, dict[str, int]] = {}
    for (site, _), severities in of.items():
        worst = min(severities, key=severity_rank)
        counts = found.setdefault(site, {})
        counts[worst] = counts.get(worst, 0) + 1
    return found


def _readers(connection: sa.Connection, names: list[str]) -> tuple[dict[str, int], dict[str, int]]:
    """Those of the plan, and how many of them are not heard."""
    table = schema.readers
    silent = sa.or_(table.c.silent_since_ms.is_not(None), table.c.last_seen_ms.is_(None))
    query = sa.select(table.c.site, sa.func.count(), sa.func.sum(sa.case((silent, 1), else_=0)))
    query = query.where(table.c.site.in_(names), table.c.area != "").group_by(table.c.site)
    rows = connection.execute(query).all()
    return {row[0]: int(row[1]) for row in rows}, {row[0]: int(row[2]) for row in rows}


def _heard(connection: sa.Connection, names: list[str]) -> dict[str, int]:
    table = schema.parts
    query = sa.select(table.c.site, sa.func.max(table.c.beat_ms)).where(table.c.site.in_(names))
    return {site: int(at) for site, at in connection.execute(query.group_by(table.c.site))}


def _forget(connection: sa.Connection) -> None:
    """Every row of the site that the connection is held to."""
    for table in reversed(schema.metadata.sorted_tables):
        if schema.SITE in table.c:
            connection.execute(sa.delete(table))
