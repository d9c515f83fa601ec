"""Random queries for hypothesis: trees that mean something, and trees that merely can be printed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

from hypothesis import strategies as st

from sase.language import tree, walk

_FORMS = ("comparison", "equivalence", "not", "and", "and", "or")


@dataclass(frozen=True)
class Vocabulary:
    """What random queries are made of; small sets make matches likely."""

    types: tuple[str, ...] = ("A", "B", "C")
    attributes: tuple[str, ...] = ("id", "x", "y")
    constants: tuple[tree.Value, ...] = (-1, 0, 1, 2, 3)
    windows: tuple[int, ...] = tuple(range(1, 13))
    most_components: int = 4
    kleene: bool = True
    negation: bool = True
    conjunction: bool = True
    strategies: tuple[str, ...] = (
        "strict_contiguity",
        "partition_contiguity",
        "skip_till_next_match",
        "skip_till_any_match",
    )
    outputs: tuple[str, ...] = ("ALL", "NON-OVERLAP")


@st.composite
def queries(draw, vocabulary: Vocabulary = Vocabulary()) -> tree.QueryTree:  # noqa: B008
    """A query that passes `check`: names resolve, negation has its window, kinds agree."""
    pattern = draw(patterns(vocabulary))
    condition = draw(st.none() | conditions(pattern, vocabulary))
    within = draw(st.none() | windows(vocabulary))
    if _has_absent(pattern) and within is None:
        within = draw(windows(vocabulary))
    names = tuple(leaf.var for leaf in walk.leaves(pattern))
    strategy = draw(st.none() | st.sampled_from(vocabulary.strategies or (None,)))
    return tree.QueryTree(
        pattern,
        condition,
        strategy=strategy and tree.Strategy(strategy, names),
        within=within,
        output=draw(st.sampled_from(vocabulary.outputs)),
    )


@st.composite
def patterns(draw, vocabulary: Vocabulary) -> tree.Pattern:
    """SEQ and AND over at most so many components, at least one of which happens."""
    count = draw(st.integers(1, vocabulary.most_components))
    leaves = [draw(_leaf(f"v{number}", vocabulary)) for number in range(count)]
    happens = draw(st.integers(0, count - 1))
    parts = [
        part if number == happens else draw(_perhaps_absent(part, vocabulary))
        for number, part in enumerate(leaves)
    ]
    return draw(_grouped(tuple(parts), vocabulary))


def windows(vocabulary: Vocabulary) -> st.SearchStrategy[tree.Within]:
    return st.builds(tree.Within, st.sampled_from(vocabulary.windows), st.sampled_from(("ms", "events")))


@st.composite
def conditions(draw, pattern: tree.Pattern, vocabulary: Vocabulary, depth: int = 2) -> tree.Condition:
    """AND, OR and NOT over comparisons and equivalence tests that fit the pattern."""
    form = draw(st.sampled_from(_FORMS if depth else _FORMS[:3]))
    if form == "comparison":
        return draw(comparisons(pattern, vocabulary))
    if form == "not":
        return tree.Not(draw(comparisons(pattern, vocabulary)))
    if form == "equivalence":
        return tree.Equivalence(draw(st.sampled_from(vocabulary.attributes)))
    inner = conditions(pattern, vocabulary, depth - 1)
    return _joined(tree.AllOf if form == "and" else tree.AnyOf, draw(inner), draw(inner))


@st.composite
def comparisons(draw, pattern: tree.Pattern, vocabulary: Vocabulary) -> tree.Comparison:
    """A comparison over at most one negative component, and never over `a.x` and `a[i].x` at once."""
    absent = set(_absent_names(pattern))
    leaves = list(walk.leaves(pattern))
    chosen = [leaf for leaf in leaves if leaf.var not in absent]
    chosen += [leaf for leaf in leaves if leaf.var in absent][: draw(st.integers(0, 1))]
    moving = draw(st.booleans())
    operand = expressions(tuple(chosen), vocabulary, moving)
    op = draw(st.sampled_from(get_args(tree.Comparator)))
    return tree.Comparison(op, draw(operand), draw(operand))


@st.composite
def expressions(
    draw, leaves: tuple[tree.Leaf, ...], vocabulary: Vocabulary, moving: bool, depth: int = 1
) -> tree.Expression:
    """Arithmetic over the given components; `moving` allows `a[i]` and forbids the plain `a.x`."""
    form = draw(st.integers(0, 5 if depth else 3))
    if form <= 2:
        return draw(_mention(draw(st.sampled_from(leaves)), vocabulary, moving))
    if form == 3:
        return tree.Constant(draw(st.sampled_from(vocabulary.constants)))
    inner = expressions(leaves, vocabulary, moving, depth - 1)
    if form == 4:
        return tree.Minus(draw(inner))
    return tree.Arithmetic(draw(st.sampled_from("+-*/%")), draw(inner), draw(inner))


def _mention(leaf: tree.Leaf, vocabulary: Vocabulary, moving: bool) -> st.SearchStrategy[tree.Expression]:
    names = st.sampled_from((*vocabulary.attributes, "ts"))
    if not leaf.kleene:
        return st.builds(tree.Attribute, st.just(leaf.var), names)
    indexes = ("first", "last", "current", "previous") if moving else ("first", "last", None)
    functions = st.sampled_from(("avg", "sum", "min", "max", "count", "first", "last"))
    return st.one_of(
        st.builds(tree.Attribute, st.just(leaf.var), names, st.sampled_from(indexes)),
        st.builds(
            tree.Aggregate, functions, st.just(leaf.var), names, st.booleans() if moving else st.just(False)
        ),
        st.builds(tree.Length, st.just(leaf.var)),
    )


@st.composite
def _leaf(draw, var: str, vocabulary: Vocabulary) -> tree.Leaf:
    types = draw(st.lists(st.sampled_from(vocabulary.types), min_size=1, max_size=2, unique=True))
    return tree.Leaf(tuple(types), var, vocabulary.kleene and draw(st.integers(0, 3)) == 0)


@st.composite
def _perhaps_absent(draw, leaf: tree.Leaf, vocabulary: Vocabulary) -> tree.Pattern:
    absent = vocabulary.negation and draw(st.integers(0, 3)) == 0
    return tree.Absent(replace(leaf, kleene=False)) if absent else leaf


@st.composite
def _grouped(draw, parts: tuple[tree.Pattern, ...], vocabulary: Vocabulary) -> tree.Pattern:
    if len(parts) == 1 and draw(st.booleans()):
        return parts[0]
    group = draw(st.sampled_from((tree.Seq, tree.Seq, tree.And) if vocabulary.conjunction else (tree.Seq,)))
    if len(parts) < 3 or draw(st.booleans()):
        return group(parts)
    start = draw(st.integers(0, len(parts) - 2))
    end = draw(st.integers(start + 2, len(parts)))
    inner = draw(_grouped(parts[start:end], vocabulary))
    return group((*parts[:start], inner, *parts[end:]))


def _has_absent(pattern: tree.Pattern) -> bool:
    return bool(_absent_names(pattern))


def _absent_names(pattern: tree.Pattern) -> list[str | None]:
    match pattern:
        case tree.Absent(part=tree.Leaf(var=var)):
            return [var]
        case tree.Seq(parts) | tree.And(parts):
            return [name for part in parts for name in _absent_names(part)]
    return []


def _joined(kind: type, *parts: tree.Condition) -> tree.Condition:
    return kind(tuple(inner for part in parts for inner in _flat(part, kind)))


def _flat(part: tree.Condition, kind: type) -> tuple[tree.Condition, ...]:
    return part.parts if isinstance(part, kind) else (part,)
