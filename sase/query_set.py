"""Compiled queries that read the same stream together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sase.errors import QueryError
from sase.language.tree import Value
from sase.matcher import Snapshot
from sase.options import Limits, Options
from sase.query import NO_PARAMETERS, Query, compile
from sase.results.matches import Result
from sase.set_matcher import NO_SNAPSHOTS, SetMatcher


@dataclass(frozen=True, slots=True)
class QuerySet:
    """Immutable; makes any number of matchers."""

    queries: Mapping[str, Query]

    def match(self, events: Any) -> dict[str, Iterable[Result]]:
        """All matches of a finished stream, per query: its end is the end of time."""
        matcher = self.matcher()
        found, last = matcher.push(events), matcher.finish()
        return {name: chain(found[name], last[name]) for name in self.queries}

    def matcher(self, snapshots: Mapping[str, Snapshot] = NO_SNAPSHOTS) -> SetMatcher:
        """A query without a snapshot has seen nothing yet."""
        return SetMatcher(self.queries, snapshots)


def compile_all(
    queries: Mapping[str, str | Query],
    parameters: Mapping[str, Value] = NO_PARAMETERS,
    options: Options | None = None,
    limits: Limits | None = None,
) -> QuerySet:
    """Compile queries under their names, or take them as they are; QueryError if a text is none."""
    return QuerySet(
        {
            name: query if isinstance(query, Query) else _compiled(name, query, parameters, options, limits)
            for name, query in queries.items()
        }
    )


def _compiled(
    name: str,
    text: str,
    parameters: Mapping[str, Value],
    options: Options | None,
    limits: Limits | None,
) -> Query:
    try:
        return compile(text, parameters, options, limits, name)
    except QueryError as error:
        error.add_note(f"in the query {name!r}")
        raise
