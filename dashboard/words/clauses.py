"""The clauses of a query in plain words, for someone who does not know the language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dashboard.words import text
from dashboard.words.events import happened, missing, sentence
from sase.errors import QueryError
from sase.language.names import named
from sase.language.parse import parse
from sase.language.tree import (
    Absent,
    Aggregate,
    AllOf,
    And,
    AnyOf,
    Arithmetic,
    Attribute,
    Comparison,
    Condition,
    Constant,
    Equivalence,
    Expression,
    Leaf,
    Length,
    Minus,
    Not,
    Operator,
    Parameter,
    Pattern,
    Seq,
)
from sase.language.walk import conjuncts, leaves, mentions
from sase.language.write import write_condition, write_pattern

_WITHIN = "WITHIN "


class Words:
    """Says the clauses of one query; `values` are its parameters as they are shown to people."""

    def __init__(self, query: str, values: Mapping[str, str]) -> None:
        self._values = values
        self._said = dict(self._all(query))

    def say(self, clause: str) -> str:
        """The clause in words; one that is not the query's, as it is written."""
        if clause.startswith(_WITHIN):
            return text.clauses.ALL_WITHIN.format(clause.removeprefix(_WITHIN))
        return self._said.get(clause, clause)

    def _all(self, query: str) -> Iterator[tuple[str, str]]:
        try:
            tree = parse(query)
        except QueryError:
            return
        pattern = named(tree.pattern)
        self._order = [leaf.var or "" for leaf in _present(pattern)]
        for part, words in _parts(pattern):
            yield write_pattern(part), words
        for condition in conjuncts(tree.condition):
            yield write_condition(condition), sentence(self._condition(condition))

    def _condition(self, condition: Condition) -> str:
        match condition:
            case Equivalence(attribute, None):
                return text.clauses.ALL_SAME.get(
                    attribute, text.clauses.ALL_SAME_OTHER.format(label(attribute))
                )
            case Equivalence(attribute, value):
                assert value is not None
                return text.clauses.ALL_EQUAL.format(label(attribute), self._expression(value, False))
            case Comparison(op, left, right):
                return self._comparison(op, left, right, len(_variables(condition)) > 1)
            case AllOf(parts):
                return text.clauses.AND.join(self._condition(part) for part in parts)
            case AnyOf(parts):
                return text.clauses.OR_ELSE.join(self._condition(part) for part in parts)
            case Not(part):
                return text.clauses.NOT.format(self._condition(part))

    def _comparison(self, op: str, left: Expression, right: Expression, several: bool) -> str:
        if isinstance(left, Attribute) and isinstance(right, Constant):
            known = text.clauses.KNOWN_CONDITIONS.get((left.name, op, right.value))
            if known:
                return known
        if isinstance(left, Attribute) and isinstance(right, Attribute) and not several:
            known = text.clauses.KNOWN_CONDITIONS.get((left.name, op, right.name))
            if known:
                return known
        sides = self._expression(left, several), self._expression(right, several)
        return text.clauses.COMPARISONS[op].format(*sides)

    def _expression(self, expression: Expression, several: bool) -> str:
        match expression:
            case Constant(value):
                return str(value)
            case Parameter(name):
                return self._values.get(name, label(name))
            case Length():
                return text.clauses.THEIR_NUMBER
            case Aggregate(function, _, name, _):
                return text.clauses.AGGREGATES[function].format(label(name) if name else text.clauses.EVENTS)
            case Arithmetic(op, left, right):
                return f"{self._expression(left, several)} {op} {self._expression(right, several)}"
            case Minus(operand):
                return f"-{self._expression(operand, several)}"
            case Attribute(var, name, index):
                said = text.clauses.INDEXES.get(index or "", "{}").format(label(name))
                return text.clauses.OF_EVENT.format(said, self._which(var)) if several and var else said

    def _which(self, variable: str) -> str:
        at = self._order.index(variable) if variable in self._order else len(text.clauses.ORDINALS)
        return text.clauses.ORDINALS[at] if at < len(text.clauses.ORDINALS) else variable


def label(attribute: str) -> str:
    """What people call an attribute of an event."""
    return text.clauses.ATTRIBUTES.get(attribute, attribute.replace("_", " "))


def _parts(pattern: Pattern) -> Iterator[tuple[Pattern, str]]:
    """Each part of a sequence with its words; where something was absent depends on what stands around."""
    parts = pattern.parts if isinstance(pattern, Seq) else (pattern,)
    for number, part in enumerate(parts):
        before = any(_is_there(one) for one in parts[:number])
        after = any(_is_there(one) for one in parts[number + 1 :])
        yield part, _part(part, before, after)


def _part(part: Pattern, before: bool, after: bool) -> str:
    match part:
        case Leaf(types, _, kleene):
            told = happened(types)
            return text.clauses.AGAIN_AND_AGAIN.format(told) if kleene else told
        case Absent(Leaf(types)):
            where = (
                text.clauses.IN_BETWEEN
                if before and after
                else text.clauses.AFTERWARDS
                if before
                else text.clauses.BEFOREHAND
            )
            return where.format(missing(types))
        case And(parts):
            return text.clauses.AND.join(_part(one, before, after) for one in parts)
        case _:
            return write_pattern(part)


def _is_there(part: Pattern) -> bool:
    return not isinstance(part, Absent)


def _present(pattern: Pattern) -> Iterator[Leaf]:
    match pattern:
        case Seq(parts) | And(parts):
            for part in parts:
                yield from _present(part)
        case Leaf() | Operator():
            yield from leaves(pattern)


def _variables(condition: Condition) -> set[str]:
    return {mention.var for mention in mentions(condition) if mention.var}
