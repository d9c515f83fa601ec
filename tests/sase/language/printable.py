"""Random trees that can be printed, whether or not they mean anything: every class, every field."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from sase.language import tree
from sase.language.words import OPERATORS, STRATEGIES

_variables = st.sampled_from(["a", "b", "i", "größe", "Zone_2", "by"])
_words = _variables | st.sampled_from(["id", "price", "type", "from", "len"])
_names = _words | st.sampled_from(["shelf id", "a.b", "1", "`", "LEN", "and", "true"])  # in backticks
_types = st.sampled_from(["A", "SHELF-READING", "zone-2", "Return", "Event", "FOLLOWS", "seq", "Into"])
_numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
_constants = st.builds(tree.Constant, st.text() | _numbers | st.booleans())
_parameters = st.builds(tree.Parameter, _words)
_sizes = st.integers(0, 2**70)

_leaves = st.builds(
    tree.Leaf,
    st.lists(_types, min_size=1, max_size=3, unique=True).map(tuple),
    st.none() | _variables | st.just("Event"),
    st.booleans(),
)


def _lists(inner: st.SearchStrategy, least: int = 1) -> st.SearchStrategy:
    return st.lists(inner, min_size=least, max_size=3).map(tuple)


def _larger_patterns(inner: st.SearchStrategy) -> st.SearchStrategy:
    windowed = [name for name in OPERATORS if name != "ANYONE"]
    return st.one_of(
        st.builds(tree.Seq, _lists(inner)),
        st.builds(tree.And, _lists(inner)),
        st.builds(tree.Absent, inner),
        st.builds(tree.Operator, st.sampled_from(windowed), inner, inner, _sizes | _parameters),
        st.builds(tree.Operator, st.just("ANYONE"), inner, inner),
    )


patterns = st.recursive(_leaves, _larger_patterns, max_leaves=6)

_mentions = st.one_of(
    st.builds(tree.Attribute, st.none(), _names),
    st.builds(tree.Attribute, _variables, _names),
    st.builds(tree.Attribute, _variables, _names, st.sampled_from(get_args(tree.Index))),
    st.builds(tree.Length, _variables),
    st.builds(
        tree.Aggregate,
        st.sampled_from(["avg", "sum", "min", "max", "first", "last"]),
        _variables,
        _names,
        st.booleans(),
    ),
    st.builds(tree.Aggregate, st.just("count"), _variables, st.none() | _names, st.booleans()),
)

expressions = st.recursive(
    _mentions | _constants | _parameters,
    lambda inner: (
        st.builds(tree.Arithmetic, st.sampled_from("+-*/%"), inner, inner) | st.builds(tree.Minus, inner)
    ),
    max_leaves=6,
)

_tests = st.builds(tree.Equivalence, _names, st.none() | _constants | _parameters)
_comparisons = st.builds(
    tree.Comparison, st.sampled_from(get_args(tree.Comparator)), expressions, expressions
)


def _joined(kind: type, inner: st.SearchStrategy) -> st.SearchStrategy:
    unlike = inner.filter(lambda part: not isinstance(part, kind))
    return st.builds(kind, _lists(unlike, least=2))


conditions = st.recursive(
    _comparisons | _tests,
    lambda inner: _joined(tree.AllOf, inner) | _joined(tree.AnyOf, inner) | st.builds(tree.Not, inner),
    max_leaves=6,
)

_windows = st.one_of(
    st.builds(tree.Within, _sizes, st.sampled_from(["ms", "events"])),
    st.builds(tree.Within, _parameters, st.sampled_from(get_args(tree.Unit))),
)
_results = st.builds(tree.Returned, expressions, st.none() | _names) | st.builds(
    tree.Returned, st.builds(tree.Attribute, st.none() | _variables, st.just("*"))
)
_probabilities = st.floats(0, 1, exclude_min=True) | _parameters
_outputs = st.sampled_from(["ALL", "NON-OVERLAP", "COMPRESSED"])

queries = st.builds(
    tree.QueryTree,
    pattern=patterns,
    condition=st.none() | conditions,
    strategy=st.none()
    | st.builds(tree.Strategy, st.sampled_from([*STRATEGIES]), _lists(_variables, least=0)),
    partition_by=_lists(_names, least=0),
    within=st.none() | _windows,
    having=st.none() | _probabilities,
    output=_outputs,
    returned=_lists(_results, least=0),
    into=st.none() | _types,
    stream=st.none() | _types,
) | st.builds(
    tree.QueryTree,
    pattern=patterns,
    condition=st.none() | conditions,
    partition_by=_lists(_names, least=0),
    returned=_lists(_results),
    sources=_lists(st.builds(tree.StreamItem, _types, _lists(_variables, least=0))),
)
