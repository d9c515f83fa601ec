"""What several sites have, for those who belong there: alerts, figures, detectors; and of no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from app.store import schema
from app.store.accounts import Account
from app.store.actor import Actor, RefusedError, require_at
from app.store.alerts.alert import Alert, columns, from_row
from app.store.alerts.report import AlertReport, reports
from app.store.alerts.search import ORDERS, Filter, conditions, ordered
from app.store.by_site import across_sites, at_site
from app.store.sites import list_sites
from app.store.switches import Switch, SwitchChange, switch


@dataclass(frozen=True)
class SiteAlert:
    site: str
    alert: Alert


@dataclass(frozen=True)
class SiteAlerts:
    """One page of the alerts that fit, and how many there are in all."""

    alerts: tuple[SiteAlert, ...]
    total: int


@dataclass(frozen=True)
class SiteSwitch:
    site: str
    switch: Switch


@dataclass(frozen=True)
class SiteSwitchChange:
    site: str
    change: SwitchChange


def entered(engine: sa.Engine, account: Account, wanted: Sequence[str] = ()) -> list[str]:
    """The sites that are wanted, or all that the account may enter; RefusedError for any other."""
    mine = [site.name for site in list_sites(engine) if account.may_enter(site.name)]
    if strange := set(wanted) - set(mine):
        raise RefusedError(f"{account.name} does not belong to {', '.join(sorted(strange))}")
    return [name for name in mine if name in wanted or not wanted]


def search_sites(
    engine: sa.Engine,
    account: Account,
    wanted: Filter,
    sites: Sequence[str] = (),
    limit: int = 50,
    offset: int = 0,
    order: str = ORDERS[0],
) -> SiteAlerts:
    names, table = entered(engine, account, sites), schema.alerts
    held = [table.c.site.in_(names), *conditions(wanted)]
    query = sa.select(table.c.site, *columns()).where(*held).order_by(*ordered(order), table.c.site)
    count = sa.select(sa.func.count()).select_from(table).where(*held)
    with across_sites(engine).connect() as connection:
        total = int(connection.execute(count).scalar_one())
        rows = connection.execute(query.limit(limit).offset(offset)).all()
    return SiteAlerts(tuple(SiteAlert(row.site, from_row(row)) for row in rows), total)


def report_sites(
    engine: sa.Engine, account: Account, from_ms: int, until_ms: int, sites: Sequence[str] = ()
) -> dict[str, AlertReport]:
    """Of each site what occurred there in some time."""
    names = entered(engine, account, sites)
    with across_sites(engine).connect() as connection:
        found = reports(connection, from_ms, until_ms, schema.alerts.c.site.in_(names))
    return {name: found.get(name, AlertReport(())) for name in names}


def switches_of_sites(engine: sa.Engine, account: Account, sites: Sequence[str] = ()) -> list[SiteSwitch]:
    """The detectors of the sites as they stand; none of a site that was never started."""
    names, table = entered(engine, account, sites), schema.switches
    query = sa.select(table).where(table.c.site.in_(names)).order_by(table.c.detector, table.c.site)
    with across_sites(engine).connect() as connection:
        rows = connection.execute(query).mappings().all()
    return [SiteSwitch(row["site"], Switch(**_without_site(dict(row)))) for row in rows]


def switch_sites(
    engine: sa.Engine,
    actor: Actor,
    sites: Sequence[str],
    detector: str,
    *,
    now_ms: int,
    enabled: bool | None = None,
    parameters: Mapping[str, Any] | None = None,
    reason: str = "",
    until_ms: int | None = None,
) -> None:
    """Change a detector at each of the sites, or at none if the actor may not at one of them or one of them
    does not have it. Each site has the change in its own history."""
    stores = {name: at_site(engine, name) for name in sites}
    for held in stores.values():
        require_at(held, actor, "manager", "change a detector")
    scenarios = _scenarios(engine, sites, detector)
    if lacking := sorted(set(sites) - set(scenarios)):
        raise LookupError(f"the detector {detector} has never been seen at {', '.join(lacking)}")
    change: dict[str, Any] = {"enabled": enabled, "parameters": parameters}
    change |= {"reason": reason, "until_ms": until_ms, "now_ms": now_ms}
    for name, held in stores.items():
        for scenario in scenarios[name]:
            switch(held, actor, scenario, detector, **change)


def switch_history_of_sites(
    engine: sa.Engine, account: Account, detector: str, limit: int = 50
) -> list[SiteSwitchChange]:
    """Who has changed it where, newest first."""
    names, past = entered(engine, account), schema.switch_history
    told = [past.c[name] for name in SwitchChange.__dataclass_fields__]
    query = sa.select(past.c.site, *told).where(past.c.site.in_(names), past.c.detector == detector)
    query = query.order_by(past.c.at_ms.desc(), past.c.number.desc()).limit(limit)
    with across_sites(engine).connect() as connection:
        rows = connection.execute(query).mappings().all()
    return [SiteSwitchChange(row["site"], SwitchChange(**_without_site(dict(row)))) for row in rows]


def _scenarios(engine: sa.Engine, sites: Sequence[str], detector: str) -> dict[str, list[str]]:
    table, found = schema.switches, dict[str, list[str]]()
    query = sa.select(table.c.site, table.c.scenario)
    query = query.where(table.c.site.in_(list(sites)), table.c.detector == detector)
    with across_sites(engine).connect() as connection:
        for site, scenario in connection.execute(query):
            found.setdefault(site, []).append(scenario)
    return found


def _without_site(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != schema.SITE}
