"""SASE: complex event queries over streams. Text in, composite events out; knows events, not readers.

What is here is loaded when it is first used: Spark starts processes that need none of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sase.errors import QueryError
    from sase.matcher import Matcher, Snapshot
    from sase.options import Limits, Options
    from sase.query import Query, compile
    from sase.query_set import QuerySet, compile_all
    from sase.results.match import Match
    from sase.results.matches import Matches
    from sase.results.plan_matches import Compressed
    from sase.set_matcher import SetMatcher
else:
    _HOMES = {
        "errors": ["QueryError"],
        "matcher": ["Matcher", "Snapshot"],
        "results.match": ["Match"],
        "results.matches": ["Matches"],
        "results.plan_matches": ["Compressed"],
        "options": ["Limits", "Options"],
        "query": ["Query", "compile"],
        "query_set": ["QuerySet", "compile_all"],
        "set_matcher": ["SetMatcher"],
    }

    def __getattr__(name: str) -> Any:
        for home, names in _HOMES.items():
            if name in names:
                return globals().setdefault(name, getattr(import_module(f"sase.{home}"), name))
        raise AttributeError(f"module 'sase' has no attribute {name!r}")


__all__ = [
    "Compressed",
    "Limits",
    "Match",
    "Matcher",
    "Matches",
    "Options",
    "Query",
    "QueryError",
    "QuerySet",
    "SetMatcher",
    "Snapshot",
    "compile",
    "compile_all",
]
