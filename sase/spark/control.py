"""Queries as they travel on the stream: what a control row says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import sase
from sase.language.tree import Value


@dataclass(frozen=True, slots=True)
class Rule:
    """A query's text, the values of its `$parameters`, and whether it knows the past when it is added."""

    text: str
    parameters: Mapping[str, Value] = field(default_factory=dict)
    primed: bool = True

    def compiled(self, name: str) -> sase.Query:
        """The query; each worker compiles it once."""
        return _compiled(self.text, tuple(self.parameters.items()), name)


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What one control row asks for: this rule under this name from now on, or none."""

    name: str
    rule: Rule | None


def change(name: str, rule: Rule | str) -> str:
    """The control text that adds a query or replaces the one of that name."""
    rule = Rule(rule) if isinstance(rule, str) else rule
    rule.compiled(name)  # a text that is no query fails here, not on the stream
    return json.dumps(
        {"query": name, "text": rule.text, "parameters": dict(rule.parameters), "primed": rule.primed}
    )


def switch_off(name: str) -> str:
    """The control text that ends a query; nothing happens if there is none of that name."""
    return json.dumps({"query": name})


def read(text: str) -> RuleChange:
    """What a control text asks for; ValueError says why it cannot be read."""
    message = json.loads(text)
    if not isinstance(message, dict) or not isinstance(message.get("query"), str):
        raise ValueError('a control row is a JSON object with the name of its "query"')
    if message.get("text") is None:
        return RuleChange(message["query"], None)
    rule = Rule(message["text"], message.get("parameters", {}), bool(message.get("primed", True)))
    rule.compiled(message["query"])
    return RuleChange(message["query"], rule)


@lru_cache(maxsize=1024)
def _compiled(text: str, parameters: tuple[tuple[str, Value], ...], name: str) -> sase.Query:
    return sase.compile(text, dict(parameters), name=name)
