"""Queries as they travel on the stream: what a control row says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

import sase
from sase.language.tree import Value
from sase.options import Limits, Options

# A match is a row of some kilobytes until Spark has taken it: no more than a worker can hold.
LIMITS = Limits(partial_matches=100_000, matches_per_event=10_000, matches_at_once=1_000_000)


@dataclass(frozen=True, slots=True)
class Rule:
    """A query's text, the values of its `$parameters`, and whether it knows the past when it is added.

    `limits` bound its matches; without them those of the call of `match` do. `constraints` are beside it;
    with `early` a negated end is reported as soon as they leave nothing that could rule it out. A rule that
    `watches` is there for the constraints: it tells what breaks them.
    """

    text: str
    parameters: Mapping[str, Value] = field(default_factory=dict)
    primed: bool = True
    limits: Limits | None = None
    constraints: str | None = None
    early: bool = True
    watches: bool = False
    types: frozenset[str] = frozenset()  # that other queries read: their events are events of the cases, too

    def compiled(self, name: str) -> sase.Query:
        """The query; each worker compiles it once."""
        beside = self.constraints, self.early, self.types
        return _compiled(self.text, tuple(self.parameters.items()), name, self.limits or LIMITS, beside)

    def within(self, limits: Limits | None) -> Rule:
        """The same with these limits unless it has its own."""
        return replace(self, limits=self.limits or limits)


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What one control row asks for: this rule under this name from now on, or none."""

    name: str
    rule: Rule | None


def change(name: str, rule: Rule | str) -> str:
    """The control text that adds a query or replaces the one of that name."""
    rule = Rule(rule) if isinstance(rule, str) else rule
    rule.compiled(name)  # a text that is no query fails here, not on the stream
    return written(name, rule)


def written(name: str, rule: Rule) -> str:
    """A rule as text: two rules that are alike have the same."""
    limits = {} if rule.limits is None else {"limits": asdict(rule.limits)}
    said = {"query": name, "text": rule.text, "parameters": dict(rule.parameters), "primed": rule.primed}
    beside = {
        "constraints": rule.constraints,
        "early": rule.early,
        "watches": rule.watches,
        "types": sorted(rule.types),
    }
    return json.dumps(said | limits | (beside if rule.constraints else {}))


def switch_off(name: str) -> str:
    """The control text that ends a query; nothing happens if there is none of that name."""
    return json.dumps({"query": name})


def read(text: str, limits: Limits | None = None) -> RuleChange:
    """What a control text asks for (its limits, or these); ValueError says why it cannot be read."""
    message = json.loads(text)
    if not isinstance(message, dict) or not isinstance(message.get("query"), str):
        raise ValueError('a control row is a JSON object with the name of its "query"')
    if message.get("text") is None:
        return RuleChange(message["query"], None)
    own = _limits(message.get("limits"))
    rule = Rule(message["text"], message.get("parameters", {}), bool(message.get("primed", True)), own)
    if message.get("constraints") is not None:
        early, watches = bool(message.get("early", True)), bool(message.get("watches", False))
        types = frozenset(map(str, message.get("types", ())))
        rule = replace(
            rule, constraints=str(message["constraints"]), early=early, watches=watches, types=types
        )
    rule = rule.within(limits)
    rule.compiled(message["query"])
    return RuleChange(message["query"], rule)


def _limits(given: Any) -> Limits | None:
    known = Limits.__dataclass_fields__
    if given is None:
        return None
    if not isinstance(given, dict) or not all(name in known and type(n) is int for name, n in given.items()):
        raise ValueError(f"limits are whole numbers under the names {', '.join(known)}")
    return Limits(**given)


@lru_cache(maxsize=1024)
def _compiled(
    text: str,
    parameters: tuple[tuple[str, Value], ...],
    name: str,
    limits: Limits,
    beside: tuple[str | None, bool, frozenset[str]],
) -> sase.Query:
    constraints, early, types = beside
    # Not above: Spark starts processes that declare the state and compile nothing.
    from sase.query import compile_declared, declared

    own = replace(declared(constraints), early=early, types=types)
    query = compile_declared(text, dict(parameters), None, limits, name, own)
    if query.tree.output != "COMPRESSED":
        return query
    # Rows come out match by match: only so do the limits hold.
    return sase.Query(text, replace(query.tree, output="ALL"), Options(), limits, name, own)
