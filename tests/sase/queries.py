"""Random queries as text and random short streams, small enough that matches are common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]

STRATEGIES = ("strict_contiguity", "partition_contiguity", "skip_till_next_match", "skip_till_any_match")
TYPES = ("A", "B", "C")
ATTRIBUTES = ("x", "x", "y")  # next to the id and k of equivalence tests, and n, the position
COMPARATORS = ("=", "!=", "<", "<=", "<=", ">", ">=", ">=")
AGGREGATES = ("avg", "sum", "min", "max", "count", "first", "last")
# Mostly small integers, so that values meet; now and then one of every other kind.
NUMBERS = (0, 1, 1, 2, 2, 3)
BOUNDS = (0.000001, 0.000001, 0.05, 0.2, 0.25, 0.5, 0.9)
CHANCES = (0.5, 0.5, 0.9, 0.25, 0.1, 0.99, 1.0)
ODD = ("p", "q", "", True, False, 0.5, 2.0, -1, 9007199254740993, 9007199254740992, None)


@dataclass(frozen=True)
class Trial:
    query: str
    events: list[dict[str, Any]]


@dataclass
class Components:
    """What the pattern has named so far."""

    single: list[str] = field(default_factory=list)
    many: list[str] = field(default_factory=list)
    negative: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)

    def name(self, group: list[str]) -> str:
        group.append(f"v{len(self.single) + len(self.many) + len(self.negative) + 1}")
        return group[-1]

    def all(self) -> Iterator[str]:
        yield from (f"{name}[]" if name in self.many else name for name in self.single + self.many)


@st.composite
def trials(
    draw: Draw,
    strategies: tuple[str, ...] = STRATEGIES,
    mixed: bool = True,
    negated_end: bool = False,
    uncertain: int = 0,
) -> Trial:
    """`mixed`: an attribute may have values of several kinds; `negated_end`: matches have to wait.

    `uncertain`: so many events at most may not have happened, and the query has HAVING.
    """
    known = Components()
    pattern = _pattern(draw, known, depth=0)
    pattern = f"SEQ({pattern}, {_absent(draw, known)})" if negated_end else pattern
    where, output = _where(draw, known, strategies), _output(draw)
    having = f"{having_bound(draw)}\n" if uncertain else ""
    within = _within(draw, known, counted=not uncertain)
    query = f"EVENT {pattern}\n{where}{within}{having}{output}"
    # Two Kleene components under skip till any match have very many matches.
    longest = 7 if len(known.many) > 1 else 9
    events = draw(streams(tuple(known.types), longest, mixed))
    return Trial(query.strip(), doubted(draw, events, uncertain))


EITHER = (
    "EVENT SEQ(A v1, !(B n), C v2) WHERE n.x = v1.x OR n.y = v2.y WITHIN 8 ms",
    "EVENT SEQ(A v1, !(B n), C v2) WHERE [id] AND (n.x < 2 OR n.x > 0) WITHIN 8 ms",
    "EVENT SEQ(!(C n), A v1, B v2) WHERE n.x = 1 OR n.x = 2 WITHIN 8 ms",
    "EVENT SEQ(A v1, B v2, !(C n)) WHERE [id] AND (n.x > v1.x OR v1.x < v2.x) WITHIN 8 ms",
    "EVENT AND(A v1, !(C n), B v2) WHERE v1.x = v2.x OR v1.y < v2.y WITHIN 10 ms",
    "EVENT SEQ(A+ v1[], B v2) WHERE skip_till_next_match(v1[], v2) { v1[i].x >= v1[i-1].x OR v2.x = 1 }",
    "EVENT SEQ(A v1, ANY(B, C) v2) WHERE partition_contiguity(v1, v2) { [id] AND (v1.x = 1 OR v2.x = 2) }",
    "EVENT SEQ(A v1, B v2) WHERE strict_contiguity(v1, v2) { v1.x <= v2.x OR v1.y = 1 }",
)


@st.composite
def either_trials(draw: Draw, uncertain: int) -> Trial:
    """Queries that are taken apart at an OR, with HAVING and NON-OVERLAP."""
    query = f"{draw(st.sampled_from(EITHER))} {having_bound(draw)} OUTPUT NON-OVERLAP"
    return Trial(query, doubted(draw, draw(streams(TYPES, 9, mixed=False)), uncertain))


DOZEN = 12


@st.composite
def dozen_trials(draw: Draw, queries: st.SearchStrategy[Trial]) -> Trial:
    """A query over a dozen events, each of which may not have happened: 4,096 worlds."""
    events = draw(streams(TYPES, DOZEN, mixed=False, shortest=DOZEN))
    chances = st.sampled_from([chance for chance in CHANCES if chance < 1])
    return Trial(draw(queries).query, [event | {"prob": draw(chances)} for event in events])


def _often(draw: Draw, percent: int) -> bool:
    return bool(draw(st.integers(0, 99)) >= 100 - percent)


# Patterns


def _pattern(draw: Draw, known: Components, depth: int) -> str:
    if depth == 0 and _often(draw, 8):
        return _leaf(draw, known)
    form = draw(st.sampled_from(("SEQ", "SEQ", "SEQ", "SEQ", "AND")))
    parts = [_part(draw, known, depth) for _ in range(draw(st.integers(2, 3 if depth == 0 else 2)))]
    if _often(draw, 30 if form == "SEQ" else 4):
        parts.insert(draw(st.integers(0, len(parts))), _absent(draw, known))
    return f"{form}({', '.join(parts)})"


def _part(draw: Draw, known: Components, depth: int) -> str:
    nested = depth < 2 and len(known.types) < 3 and _often(draw, 20)
    return _pattern(draw, known, depth + 1) if nested else _leaf(draw, known)


def _leaf(draw: Draw, known: Components) -> str:
    if len(known.many) < 2 and _often(draw, 25):
        return f"{_types(draw, known, 15)}+ {known.name(known.many)}[]"
    return f"{_types(draw, known, 15)} {known.name(known.single)}"


def _absent(draw: Draw, known: Components) -> str:
    again = f", {_absent(draw, known)}" if _often(draw, 15) else ""
    return f"!({_types(draw, known, 20)} {known.name(known.negative)}){again}"


def _types(draw: Draw, known: Components, several: int) -> str:
    count = 2 if _often(draw, several) else 1
    chosen = draw(st.permutations(TYPES))[:count]
    known.types.extend(chosen)
    return f"ANY({', '.join(chosen)})" if count == 2 else str(chosen[0])


# Conditions


def _where(draw: Draw, known: Components, strategies: tuple[str, ...]) -> str:
    condition = _condition(draw, known)
    strategy = draw(st.sampled_from(strategies))
    if strategy == "skip_till_any_match" and _often(draw, 80):
        return f"WHERE {condition}\n" if condition else ""
    return f"WHERE {strategy}({', '.join(known.all())}) {{ {condition} }}\n"


def _condition(draw: Draw, known: Components) -> str:
    parts = [_clause(draw, known, depth=0) for _ in range(draw(st.integers(0, 2)))]
    if _often(draw, 45):
        parts.append(draw(st.sampled_from(("[id]",) * 6 + ("[id, k]", "[k = 1]"))))
    return " AND ".join(draw(st.permutations(parts))) if parts else ""


def _clause(draw: Draw, known: Components, depth: int) -> str:
    form = draw(st.integers(0, 99))
    if depth < 2 and form >= 90:
        return f"({_clause(draw, known, depth + 1)} OR {_clause(draw, known, depth + 1)})"
    if depth < 2 and form >= 85:
        return f"NOT ({_clause(draw, known, depth + 1)} AND {_clause(draw, known, depth + 1)})"
    if form >= 82:
        return f"NOT {_comparison(draw, known)}"
    return _comparison(draw, known)


def _comparison(draw: Draw, known: Components) -> str:
    op = draw(st.sampled_from(COMPARATORS))
    if known.many and _often(draw, 60):
        return _about_many(draw, known, draw(st.sampled_from(known.many)), op)
    one = draw(st.sampled_from(known.single + known.many + known.negative))
    if _often(draw, 25):
        return f"{one}.{draw(st.sampled_from(ATTRIBUTES))} {op} {_constant(draw)}"
    others = [name for name in known.single + known.many if name != one] or [one]
    return f"{_scalar(draw, one)} {op} {_scalar(draw, draw(st.sampled_from(others)))}"


def _scalar(draw: Draw, name: str) -> str:
    """A plain attribute, now and then in arithmetic."""
    plain = f"{name}.{draw(st.sampled_from(ATTRIBUTES))}"
    forms = ("{0} + 1", "{0} % 2", "2 * {0} - 1", "-{0}", "{0} / {0}", "80% * {0}")
    return str(draw(st.sampled_from(forms))).format(plain) if _often(draw, 20) else plain


def _constant(draw: Draw) -> str:
    return str(
        draw(st.sampled_from(("0", "1", "1", "2", "2", "3", "1.5", "'p'", "true", "9007199254740993")))
    )


def _about_many(draw: Draw, known: Components, a: str, op: str) -> str:
    x = draw(st.sampled_from(ATTRIBUTES))
    function = draw(st.sampled_from(AGGREGATES))
    other = draw(st.sampled_from([f"{name}.x" for name in known.single] or ["1"]))
    forms = (
        f"{a}[i].{x} {op} {a}[i-1].{x}",
        f"{a}[i].{x} {op} {a}[i-1].{x}",
        f"{a}[i].{x} {op} {function}({a}[..i-1].{x})",
        f"{a}[i].{x} {op} {other}",
        f"{a}[1].{x} {op} {other}",
        f"{a}[{a}.LEN].{x} {op} {other}",
        f"{a}[{a}.LEN].{x} {op} {a}[1].{x}",
        f"{a}.LEN {op} {draw(st.integers(1, 3))}",
        f"{function}({a}[].{x}) {op} {other}",
        f"{function}({a}[].{x}) {op} {draw(st.sampled_from((1, 1.5, 2, 3)))}",
        f"count({a}[]) < 3",
    )
    return str(draw(st.sampled_from(forms)))


# Windows and output


def _within(draw: Draw, known: Components, counted: bool) -> str:
    if not known.negative and _often(draw, 25):
        return ""
    if counted and _often(draw, 30):
        return f"WITHIN {draw(st.integers(1, 9))} events\n"
    return f"WITHIN {draw(st.sampled_from((1, 3, 5, 8, 10, 15)))} ms\n"


def _output(draw: Draw) -> str:
    return str(
        draw(st.sampled_from(("",) * 7 + ("OUTPUT NON-OVERLAP", "OUTPUT NON-OVERLAP", "OUTPUT COMPRESSED")))
    )


def having_bound(draw: Draw) -> str:
    return f"HAVING PROBABILITY >= {draw(st.sampled_from(BOUNDS))}"


# Streams


def doubted(draw: Draw, events: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """The events, some of them with a probability."""
    places = st.lists(st.integers(0, len(events) - 1), min_size=most // 2, max_size=most, unique=True)
    chosen = draw(places) if most else []
    return [
        event | {"prob": draw(st.sampled_from(CHANCES))} if place in chosen else event
        for place, event in enumerate(events)
    ]


@st.composite
def streams(
    draw: Draw, types: tuple[str, ...], longest: int, mixed: bool, shortest: int = 5
) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    ts = 100
    for place in range(draw(st.integers(shortest, longest))):
        ts += draw(st.sampled_from((0, 0, 1, 1, 2, 3)))
        # The types as the pattern names them, one after the other, are often a match.
        usual = types[place % len(types)]
        kind = usual if _often(draw, 60) else draw(st.sampled_from((*types, *types, "X")))
        attributes = draw(MIXED if mixed else PLAIN)
        events.append({"event": kind, "ts": ts, "n": place} | attributes)
    return events


def _values(usual: tuple[Any, ...], odd: tuple[Any, ...], percent: int) -> st.SearchStrategy[Any]:
    return st.integers(0, 99).flatmap(lambda n: st.sampled_from(odd if n >= 100 - percent else usual))


def _attributes(odd: tuple[Any, ...]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"x": _values(NUMBERS, odd, 6), "id": _values((1, 1, 1, 1, 2), odd, 3)},
        optional={"y": _values(NUMBERS, odd, 10), "k": st.sampled_from((1, 1, 1, 2))},
    )


MIXED = _attributes(ODD)
PLAIN = _attributes((None, -1, 9007199254740993, 9007199254740992))
