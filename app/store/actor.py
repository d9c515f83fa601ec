"""Who changes something, and what their role allows: at one site, managers at several, admins at all."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from app.store.by_site import site_of

ROLES = ("viewer", "staff", "manager", "admin")


class RefusedError(Exception):
    """The actor's role does not allow the change, or not at this site."""


@dataclass(frozen=True)
class Actor:
    """`sites` are those where an actor who is no admin may do something; None stands for all."""

    name: str
    role: str
    sites: frozenset[str] | None = None


def require(actor: Actor, role: str, action: str) -> None:
    """Refuse unless the actor's role is `role` or stands above it; an unknown role stands below all."""
    rank = ROLES.index(actor.role) if actor.role in ROLES else -1
    if rank < ROLES.index(role):
        raise RefusedError(f"{actor.name} ({actor.role}) may not {action}: that needs the role {role}")


def require_at(store: sa.Engine, actor: Actor, role: str, action: str) -> None:
    """The same for something that a site has."""
    require(actor, role, action)
    site = site_of(store)
    if actor.role != "admin" and actor.sites is not None and site not in actor.sites:
        raise RefusedError(f"{actor.name} may not {action} at {site or 'this site'}")
