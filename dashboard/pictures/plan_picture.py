"""A query's plan as a picture: its pattern from left to right, and below it the operators in their order."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sase.language.tree import Leaf, Pattern, QueryTree
from sase.language.walk import standings

_LEFT_OUT = ("Optimisations", "Limits")
_HEAD = (
    'digraph plan { bgcolor="transparent"; rankdir=LR; node [shape=box, style="rounded,filled", '
    'fillcolor="#d9e6ef", color="#0b5c8a", fontcolor="#16212b", fontname="sans-serif", fontsize=12]; '
    'edge [color="#7d8b97"];'
)


def dot(query: QueryTree, explained: str) -> str:
    """In the language of Graphviz."""
    return "\n".join([_HEAD, *_pattern(query.pattern), *_operators(explained), "}"])


def _pattern(pattern: Pattern) -> Iterator[str]:
    found = list(standings(pattern))
    for number, one in enumerate(found):
        absent = one.absent is not None
        yield f"c{number} [label={_quoted(_label(one.leaf, absent))}{_style(absent)}];"
        if one.leaf.kleene:
            yield f"c{number} -> c{number};"
    yield from (f"c{number} -> c{number + 1};" for number in range(len(found) - 1))


def _label(leaf: Leaf, absent: bool) -> str:
    types = "\nor ".join(leaf.types)
    name = f" {leaf.var}" if leaf.var else ""
    return f"{'no ' if absent else ''}{types}{'+' if leaf.kleene else ''}{name}"


def _style(absent: bool) -> str:
    return ', style="rounded,dashed", color="#d55e00", fontcolor="#d55e00"' if absent else ""


def _operators(explained: str) -> Iterator[str]:
    """The sections of `explain`: what stands below is done first."""
    steps = [step for step in _sections(explained) if step[0] not in _LEFT_OUT]
    yield 'subgraph cluster_plan { label=""; color="transparent";'
    for number, (name, rest) in enumerate(steps):
        yield f"s{number} [label={_quoted(f'{name}{chr(10)}{rest}')}, fillcolor={_quoted('#e8eef3')}];"
    yield from (f"s{number} -> s{number + 1};" for number in range(len(steps) - 1))
    yield "}"


def _sections(explained: str) -> Iterator[tuple[str, str]]:
    _, _, plan = explained.partition("\n\n")
    for line in plan.splitlines():
        if line and not line.startswith(" "):
            name, _, rest = line.partition(" ")
            yield name, _folded(rest.strip())


def _folded(words: str, width: int = 28) -> str:
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def _quoted(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)
