"""Resolves the aliases of the TelegraphCQ form: `FROM Person P1 P2` makes `P1` in the pattern a Person."""

from __future__ import annotations

from sase.errors import did_you_mean, problem
from sase.language.messages import DUPLICATE, UNKNOWN_STREAM
from sase.language.names import name_of
from sase.language.tree import Leaf, Pattern, QueryTree
from sase.language.walk import mapped_leaves


def without_aliases(query: QueryTree, text: str) -> Pattern:
    """The pattern with streams for types and aliases for variables; any other form stays as it is."""
    if not query.sources:
        return query.pattern
    streams = _streams(query, text)
    return mapped_leaves(query.pattern, lambda leaf: _leaf(leaf, streams, text))


def _streams(query: QueryTree, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for source in query.sources:
        for alias in source.vars or (source.stream,):
            if alias in found:
                raise problem(DUPLICATE, text, source.place, name=alias)
            found[alias] = source.stream
    return found


def _leaf(leaf: Leaf, streams: dict[str, str], text: str) -> Leaf:
    name = name_of(leaf)
    if name not in streams or leaf.types not in ((name,), (streams[name],)):
        raise problem(UNKNOWN_STREAM, text, leaf.place, name=name, near=did_you_mean(name, streams))
    return Leaf((streams[name],), name, leaf.kleene, leaf.place)
