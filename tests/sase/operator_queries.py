"""Random queries of operators with windows of their own, with short streams on which they have outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from sase.check.query import check
from sase.errors import QueryError
from sase.language.parse import parse
from tests.sase.queries import Draw, Trial, doubted, having_bound, streams

WINDOWS = (1, 2, 3, 3, 5, 5, 8)
JOINS = ("FOLLOWS", "FOLLOWS", "PRECEDES", "BOTH", "BOTH")
NEGATIONS = ("NOTFOLLOWS", "NOTPRECEDES")
COMPARATORS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass
class Aliases:
    """Aliases and their types; happening ones may stand again, absent ones in another absent part."""

    types: dict[str, str] = field(default_factory=dict)
    happening: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    plain: bool = False  # what is absent is not composed


@st.composite
def operator_trials(draw: Draw, mixed: bool = True, waits: bool = False, uncertain: int = 0) -> Trial:
    """`mixed`: an attribute may have values of several kinds; `waits`: the ends of windows make outcomes.

    `uncertain`: so many events at most may not have happened, and the query has HAVING.
    """
    known = Aliases(plain=uncertain > 0)
    pattern = _operator(draw, known, (), 0)
    if waits:
        pattern = f"NOTFOLLOWS({pattern}, {_leaf(draw, known, ('n',))}, {_window(draw)})"
    having = f" {having_bound(draw)}" if uncertain else ""
    query = _valid(f"EVENT {pattern}", _conditions(draw, known), having + _output(draw))
    types = tuple(name for names in known.types.values() for name in names.split("|"))
    return Trial(query, doubted(draw, draw(streams(types, 9, mixed)), uncertain))


def _often(draw: Draw, percent: int) -> bool:
    return bool(draw(st.integers(0, 99)) >= 100 - percent)


def _window(draw: Draw) -> str:
    return f"{draw(st.sampled_from(WINDOWS))} ms"


def _operator(draw: Draw, known: Aliases, scope: tuple[str, ...], depth: int) -> str:
    """`scope` are the absent parts that this is in: aliases there are named after them."""
    form = draw(st.integers(0, 99))
    if form < 15:
        return f"ANYONE({_part(draw, known, scope, depth)}, {_part(draw, known, scope, depth)})"
    if form < 60:
        name = draw(st.sampled_from(JOINS))
        sides = f"{_part(draw, known, scope, depth)}, {_part(draw, known, scope, depth)}"
        return f"{name}({sides}, {_window(draw)})"
    name = draw(st.sampled_from(NEGATIONS))
    inner = (*scope, draw(st.sampled_from("mn")))
    absent = _plain(draw, known, inner) if known.plain else _part(draw, known, inner, depth + 1)
    return f"{name}({_part(draw, known, scope, depth)}, {absent}, {_window(draw)})"


def _plain(draw: Draw, known: Aliases, scope: tuple[str, ...]) -> str:
    leaf = _leaf(draw, known, scope)
    return f"ANYONE({leaf}, {_plain(draw, known, scope)})" if _often(draw, 25) else leaf


def _part(draw: Draw, known: Aliases, scope: tuple[str, ...], depth: int) -> str:
    nested = depth < 2 and len(known.types) < 5 and _often(draw, 40)
    return _operator(draw, known, scope, depth + 1) if nested else _leaf(draw, known, scope)


def _leaf(draw: Draw, known: Aliases, scope: tuple[str, ...]) -> str:
    number = draw(st.integers(1, 3))
    name = f"{''.join(scope) or 'v'}{number}"
    kind = known.types.setdefault(name, draw(st.sampled_from(("A", "A", "B", "B", "C", "A|B"))))
    group = known.absent if scope else known.happening
    if name not in group:
        group.append(name)
    types = f"ANY({', '.join(kind.split('|'))})" if "|" in kind else kind
    return f"{types} {name}"


def _conditions(draw: Draw, known: Aliases) -> list[str]:
    parts = [_condition(draw, known) for _ in range(draw(st.integers(0, 3)))]
    if _often(draw, 45):
        parts.append(draw(st.sampled_from(("[id]",) * 5 + ("[id, k]", "[k = 1]", "([id] OR [k])"))))
    return parts


def _condition(draw: Draw, known: Aliases) -> str:
    if _often(draw, 20):
        return f"({_comparison(draw, known)} OR {_comparison(draw, known)})"
    if _often(draw, 10):
        return f"NOT ({_comparison(draw, known)} AND {_comparison(draw, known)})"
    return _comparison(draw, known)


def _comparison(draw: Draw, known: Aliases) -> str:
    names = st.sampled_from(known.happening + known.absent)
    op = draw(st.sampled_from(COMPARATORS))
    left = f"{draw(names)}.{draw(st.sampled_from(('x', 'x', 'y')))}"
    if _often(draw, 30):
        return f"{left} {op} {draw(st.sampled_from((0, 1, 1, 2, 2, 3)))}"
    right = f"{draw(names)}.{draw(st.sampled_from(('x', 'x', 'y', 'id')))}"
    return f"{left} {op} {right}{' + 1' if _often(draw, 15) else ''}"


def _output(draw: Draw) -> str:
    return str(draw(st.sampled_from(("",) * 3 + (" OUTPUT NON-OVERLAP",))))


def _valid(pattern: str, conditions: list[str], output: str) -> str:
    """The query with those conditions that its operators can test."""
    chosen: list[str] = []
    for condition in conditions:
        text = f"{pattern} WHERE {' AND '.join([*chosen, condition])}"
        try:
            check(parse(text), text)
        except QueryError:
            continue
        chosen.append(condition)
    return pattern + (f" WHERE {' AND '.join(chosen)}" if chosen else "") + output
