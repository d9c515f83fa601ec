"""A query's plan: its pattern as a picture from left to right, its parts in words and in their order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from detectors.parameters import spell_duration
from sase.language.tree import Leaf, Operator, Pattern, QueryTree
from sase.language.walk import standings

_LEFT_OUT = ("Optimisations", "Limits")
_MILLISECONDS = re.compile(r"\b(\d[\d,]*) ms\b")
_HEAD = (
    'digraph plan { bgcolor="transparent"; rankdir=LR; node [shape=box, style="rounded,filled", '
    'fillcolor="#d9e6ef", color="#0b5c8a", fontcolor="#16212b", fontname="sans-serif", fontsize=15]; '
    'edge [color="#7d8b97"];'
)


def dot(query: QueryTree, explained: str) -> str:
    """In the language of Graphviz."""
    nested = isinstance(query.pattern, Operator)
    drawn = _tree(explained) if nested else _pattern(query.pattern)
    return "\n".join([_HEAD, *drawn, "}"])


def parts(explained: str) -> list[tuple[str, str]]:
    """What is done, in its order, and how: words are read more easily in lines than in boxes."""
    return [(name, rest) for name, rest in _sections(explained) if name not in _LEFT_OUT]


def spelled(explained: str) -> str:
    """With durations as people say them: `12 hours` for `43,200,000 ms`."""
    return _MILLISECONDS.sub(lambda found: spell_duration(int(found[1].replace(",", ""))), explained)


def _tree(explained: str) -> Iterator[str]:
    """Operators with windows of their own, from their events to the outcome, as `explain` tells them."""
    path: list[int] = []
    for number, line in enumerate(_indented(explained, "Operators")):
        head, _, rest = line.strip().partition(": ")
        depth = (len(line) - len(line.lstrip())) // 2
        label = _quoted(f"{head}{chr(10)}{_folded(rest)}")
        yield f"c{number} [label={label}{_style(head.startswith('no '))}];"
        path[depth - 1 :] = [number]
        if depth > 1:
            yield f"c{number} -> c{path[depth - 2]};"


def _indented(explained: str, section: str) -> Iterator[str]:
    """The lines below a section of `explain`."""
    inside = False
    for line in explained.splitlines():
        if inside and line.startswith(" "):
            yield line
        else:
            inside = line.startswith(section)


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


def _sections(explained: str) -> Iterator[tuple[str, str]]:
    _, _, plan = explained.partition("\n\n")
    for line in plan.splitlines():
        if line and not line.startswith(" "):
            name, _, rest = line.partition(" ")
            yield name, rest.strip()


def _folded(words: str, width: int = 28) -> str:
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def _quoted(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)
