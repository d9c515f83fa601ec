"""Compiled queries that read the same stream together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from sase.constraints.declared import Constraints
from sase.errors import QueryError
from sase.language.tree import Value
from sase.matcher import Snapshot
from sase.operators.constrained import Declared, longest, own_memory
from sase.options import Limits, Options
from sase.query import NO_PARAMETERS, Query, compile_declared, declared
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
    constraints: str | Constraints | None = None,
) -> QuerySet:
    """Compile queries under their names, or take them as they are; QueryError if a text is none.

    The constraints are those of the texts. Without FOR a case is remembered as long as the longest window.
    """

    def compiled(beside: Declared) -> dict[str, Query]:
        return {
            name: query
            if isinstance(query, Query)
            else _compiled(name, query, parameters, options, limits, beside)
            for name, query in queries.items()
        }

    beside = declared(constraints)
    if not beside.groups or not queries:
        return QuerySet(compiled(beside))
    plain = compiled(declared(None)).values()
    memory = longest([own_memory(query.tree, query.plans) for query in plain])
    types = frozenset(name for query in plain for name in query.types)
    return QuerySet(compiled(replace(beside, memory=memory, types=types)))


def _compiled(
    name: str,
    text: str,
    parameters: Mapping[str, Value],
    options: Options | None,
    limits: Limits | None,
    beside: Declared,
) -> Query:
    try:
        return compile_declared(text, parameters, options, limits, name, beside)
    except QueryError as error:
        error.add_note(f"in the query {name!r}")
        raise
