"""Prints a tree as text that parses to the same tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from sase.language.names import components
from sase.language.tree import (
    Absent,
    Aggregate,
    And,
    Attribute,
    Comparison,
    Condition,
    Leaf,
    Operator,
    Parameter,
    Pattern,
    QueryTree,
    Returned,
    Seq,
    StreamItem,
    Value,
    Within,
)
from sase.language.words import FENCED, written_name
from sase.language.writer import Writer

_INDEXES = {"first": "1", "current": "i", "previous": "i-1"}


def write(query: QueryTree) -> str:
    """The query, one clause a line."""
    return "\n".join(_clauses(query))


def returned_name(item: Returned) -> str:
    """What RETURN calls a value: the name after AS, or the expression itself, its names without backticks."""
    return item.name or _LABEL.expression(item.expression)


def write_condition(condition: Condition) -> str:
    """A condition, with parentheses only where the tree needs them."""
    return _TEXT.condition(condition)


def write_pattern(pattern: Pattern) -> str:
    """A pattern, in the form of SASE+."""
    match pattern:
        case Leaf():
            return _leaf(pattern)
        case Seq(parts):
            return f"SEQ({', '.join(map(write_pattern, parts))})"
        case And(parts):
            return f"AND({', '.join(map(write_pattern, parts))})"
        case Absent(part):
            return f"!({write_pattern(part)})"
        case Operator(name, left, right, window):
            length = "" if window is None else f", {_length(window)}"
            return f"{name}({write_pattern(left)}, {write_pattern(right)}{length})"


def _clauses(query: QueryTree) -> Iterator[str]:
    yield from _head(query)
    if query.strategy:
        names = ", ".join(_strategy_variables(query))
        condition = write_condition(query.condition) if query.condition else ""
        yield f"WHERE {query.strategy.name}({names}) {{ {condition} }}"
    elif query.condition:
        yield f"WHERE {write_condition(query.condition)}"
    if query.partition_by and not query.sources:
        yield f"PARTITION BY {', '.join(map(written_name, query.partition_by))}"
    if query.within:
        yield f"WITHIN {_window(query.within)}"
    if query.having is not None:
        limit = f"${query.having.name}" if isinstance(query.having, Parameter) else repr(query.having)
        yield f"HAVING PROBABILITY >= {limit}"
    if query.output != "ALL":
        yield f"OUTPUT {query.output}"
    if query.returned and not query.sources:
        yield f"RETURN {_items(query)}"
    if query.into:
        yield f"INTO {query.into}"


def _head(query: QueryTree) -> Iterator[str]:
    if query.sources:
        yield f"SELECT {_items(query)}"
        yield f"FROM {', '.join(map(_source, query.sources))}"
        if query.partition_by:
            yield f"PARTITION BY {', '.join(map(written_name, query.partition_by))}"
    elif query.stream:
        yield f"FROM {query.stream}"
    pattern = write_pattern(query.pattern)
    yield f"EVENT ({pattern})" if _needs_fence(query.pattern) else f"EVENT {pattern}"


def _needs_fence(pattern: Pattern) -> bool:
    names = (*pattern.types, pattern.var or "") if isinstance(pattern, Leaf) else ()
    return any(name.upper() in FENCED for name in names)


def _strategy_variables(query: QueryTree) -> Iterator[str]:
    known = components(query.pattern)
    for name in query.strategy.vars if query.strategy else ():
        yield f"{name}[]" if name in known and known[name].kleene else name


def _source(source: StreamItem) -> str:
    return " ".join((source.stream, *source.vars))


def _items(query: QueryTree) -> str:
    return ", ".join(map(_item, query.returned))


def _item(item: Returned) -> str:
    written = _TEXT.expression(item.expression)
    return f"{written} AS {written_name(item.name)}" if item.name else written


def _window(window: Within) -> str:
    size = f"${window.size.name}" if isinstance(window.size, Parameter) else str(window.size)
    return f"{size} {window.unit}"


def _length(window: int | Parameter) -> str:
    return f"${window.name}" if isinstance(window, Parameter) else f"'{window} ms'"


def _leaf(leaf: Leaf) -> str:
    types = leaf.types[0] if len(leaf.types) == 1 else f"ANY({', '.join(leaf.types)})"
    kleene = "+" if leaf.kleene else ""
    if leaf.var is None:
        return types + kleene
    return f"{types}{kleene} {leaf.var}{'[]' if leaf.kleene else ''}"


class _Text(Writer):
    def _fenced(self, written: str) -> str:
        return f"({written})"

    def _comparison(self, comparison: Comparison) -> str:
        return f"{self.expression(comparison.left)} {comparison.op} {self.expression(comparison.right)}"

    def _equivalence(self, attribute: str, value: str | None) -> str:
        name = self._name(attribute)
        return f"[{name}]" if value is None else f"[{name} = {value}]"

    def _joined(self, word: Literal["AND", "OR"], parts: Sequence[str]) -> str:
        return f" {word} ".join(parts)

    def _not(self, part: str) -> str:
        return f"NOT {part}"

    def _constant(self, value: Value) -> str:
        if isinstance(value, str):
            return "'" + value.replace("'", "''") + "'"
        return str(value).lower() if isinstance(value, bool) else repr(value)

    def _parameter(self, name: str) -> str:
        return f"${name}"

    def _length(self, var: str) -> str:
        return f"{var}.LEN"

    def _aggregate(self, aggregate: Aggregate) -> str:
        index = "..i-1" if aggregate.prefix else ""
        attribute = f".{self._name(aggregate.name)}" if aggregate.name else ""
        return f"{aggregate.function}({aggregate.var}[{index}]{attribute})"

    def _attribute(self, attribute: Attribute) -> str:
        name = "*" if attribute.name == "*" else self._name(attribute.name)
        if attribute.var is None:
            return name
        if attribute.index is None:
            return f"{attribute.var}.{name}"
        index = _INDEXES.get(attribute.index, f"{attribute.var}.LEN")
        return f"{attribute.var}[{index}].{name}"

    def _name(self, name: str) -> str:
        return written_name(name)


class _Label(_Text):
    """The same with names as they are."""

    def _name(self, name: str) -> str:
        return name


_TEXT, _LABEL = _Text(), _Label()
