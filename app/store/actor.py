"""Who changes something, and what their role allows."""

from __future__ import annotations

from dataclasses import dataclass

ROLES = ("viewer", "staff", "admin")


class RefusedError(Exception):
    """The actor's role does not allow the change."""


@dataclass(frozen=True)
class Actor:
    name: str
    role: str


def require(actor: Actor, role: str, action: str) -> None:
    """Refuse unless the actor's role is `role` or stands above it; an unknown role stands below all."""
    rank = ROLES.index(actor.role) if actor.role in ROLES else -1
    if rank < ROLES.index(role):
        raise RefusedError(f"{actor.name} ({actor.role}) may not {action}: that needs the role {role}")
