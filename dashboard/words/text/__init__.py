"""Every word that the dashboard says, a module for each page or topic: what a translator translates."""

from dashboard.words.text import (
    account,
    actions,
    alert,
    alerts,
    clauses,
    demo,
    detectors,
    events,
    failures,
    health,
    live,
    pictures,
    sign_in,
    terms,
)

__all__ = [
    "account",
    "actions",
    "alert",
    "alerts",
    "clauses",
    "demo",
    "detectors",
    "events",
    "failures",
    "health",
    "live",
    "pictures",
    "sign_in",
    "terms",
]
