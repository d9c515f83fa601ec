"""SASE: complex event queries over streams. Text in, composite events out; knows events, not readers."""

from sase.errors import QueryError
from sase.matcher import Matcher, Snapshot
from sase.matches import Compressed, Match, Matches
from sase.options import Limits, Options
from sase.query import Query, compile

__all__ = [
    "Compressed",
    "Limits",
    "Match",
    "Matcher",
    "Matches",
    "Options",
    "Query",
    "QueryError",
    "Snapshot",
    "compile",
]
