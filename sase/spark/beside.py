"""Constraints beside the queries of a call: each gets those that serve it, and a rule tells what breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import sase
from sase.constraints.declared import CaseGroup, Constraints
from sase.language.words import written_name
from sase.operators.constrained import longest, own_memory, serves
from sase.plan.window import FOREVER
from sase.spark.control import Rule


def beside(constraints: Constraints, rules: Mapping[str, Rule], *, changeable: bool) -> dict[str, Rule]:
    """The rules with the constraints, and one more for each group, under the name of its attributes."""
    plain = {name: rule.compiled(name) for name, rule in rules.items()}
    groups = [_remembered(group, list(plain.values())) for group in constraints.groups]
    read = frozenset(name for query in plain.values() for name in query.types)
    types = read - {query.tree.into or "" for query in plain.values()}
    found = {}
    for name, query in plain.items():
        own = [str(group) for group in groups if serves(group, query.tree, query.plans)]
        into = query.tree.into
        # What another query reads is an event of its deadline: there it must not come before its time.
        early = into is None or (not changeable and into not in read)
        rule = replace(rules[name], constraints="; ".join(own), early=early, types=types)
        found[name] = rule if own and not rules[name].watches else rules[name]
        found[name].compiled(name)
    doubted = bool(plain) and all(query.tree.having is not None for query in plain.values())
    return found | {
        name: watching(group, doubted, types) for name, group in zip(_names(groups), groups, strict=True)
    }


def _names(groups: Sequence[CaseGroup]) -> Iterator[str]:
    """By their attributes; the groups of several that have the same are counted."""
    known: Counter[tuple[str, ...]] = Counter()
    for group in groups:
        known[group.by] += 1
        again = f" ({known[group.by]})" if known[group.by] > 1 else ""
        yield f"constraints by {', '.join(group.by)}{again}"


def _remembered(group: CaseGroup, queries: list[sase.Query]) -> CaseGroup:
    """Without FOR a case is remembered as long as the longest window of the queries."""
    if group.remembered is not None:
        return group
    memory = longest([own_memory(query.tree, query.plans) for query in queries]) if queries else None
    return replace(group, remembered=FOREVER if memory is None or memory.counts_events else memory.size)


def watching(group: CaseGroup, doubted: bool = False, types: frozenset[str] = frozenset()) -> Rule:
    """A query that matches nothing, and has the cases for its partitions."""
    by = ", ".join(map(written_name, group.by))
    having = " HAVING PROBABILITY >= 0.5" if doubted else ""
    return Rule(
        f"EVENT {group.types[0]} x WHERE [{by}] AND 1 = 2{having}",
        constraints=str(group),
        watches=True,
        types=types,
    )
