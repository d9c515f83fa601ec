"""Tells a query in plain words, for someone who does not know the language; the words are the caller's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sase.language.names import named
from sase.language.tree import (
    Absent,
    Aggregate,
    And,
    Attribute,
    Comparison,
    Constant,
    Leaf,
    Operator,
    Parameter,
    Pattern,
    QueryTree,
    Value,
)
from sase.language.walk import SO_FAR, conjuncts, happening, in_order, leaves, mentions, patterns, steps
from sase.language.write import write_condition, write_pattern
from sase.language.writer import Writer


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How each form is said: what is inside it goes where a text has its {}."""

    happened: Callable[[Sequence[str]], str]  # one event of these types
    missing: Callable[[Sequence[str]], str]  # none of these types
    label: Callable[[str], str]  # what people call an attribute
    repeated: str
    beforehand: str
    in_between: str
    afterwards: str
    operators: Mapping[str, str]  # FOLLOWS and the like: {left}, {right} and {window}
    around: Mapping[str, str]  # an absence after or before what was told already: {right} and {window}
    lasting: Callable[[int], str]  # milliseconds
    same: Mapping[str, str]  # [attribute], where it has words of its own
    same_other: str
    equal: str
    known: Mapping[tuple[str, str, object], str]  # attribute, operator, constant or attribute
    known_of_two: Mapping[tuple[str, str, object], str]  # the same between two events
    comparisons: Mapping[str, str]
    words: Mapping[str, str]  # AND, OR, NOT
    length: str
    events: str
    aggregates: Mapping[str, str]
    indexes: Mapping[str, str]
    of_event: str
    ordinals: Sequence[str]


def in_words(
    query: QueryTree, vocabulary: Vocabulary, values: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The steps and the conditions of a query, each as it is written and as it is said.

    `values` are the parameters as they are shown to people.
    """
    pattern = named(query.pattern)
    for part, before, after in in_order(steps(pattern)):
        told = _Outcomes(vocabulary, values).step(part) if isinstance(part, Operator) else None
        yield write_pattern(part), told or _step(part, bool(before), bool(after), vocabulary)
    words = _Words(vocabulary, values, tuple(leaf.var or "" for leaf in happening(pattern)))
    for condition in conjuncts(query.condition):
        yield write_condition(condition), words.condition(condition)


def _step(part: Pattern, before: bool, after: bool, say: Vocabulary) -> str:
    """Where something was absent depends on what happened around it."""
    match part:
        case Leaf(types, _, kleene):
            return say.repeated.format(say.happened(types)) if kleene else say.happened(types)
        case Absent(Leaf(types)):
            where = say.in_between if before and after else say.afterwards if before else say.beforehand
            return where.format(say.missing(types))
        case And(parts):
            return say.words["AND"].join(_step(one, before, after, say) for one in parts)
        case _:
            return write_pattern(part)


@dataclass(frozen=True, slots=True)
class _Outcomes:
    """Says operators with windows of their own."""

    say: Vocabulary
    values: Mapping[str, str]

    def step(self, operator: Operator) -> str:
        frames = self.say.around if operator.left is SO_FAR else self.say.operators
        right = self._missing(operator.right) if operator.negates else self._told(operator.right)
        left = self._told(operator.left)
        return frames[operator.name].format(left=left, right=right, window=self._lasts(operator.window))

    def _told(self, pattern: Pattern) -> str:
        words = (
            self.step(pattern) if isinstance(pattern, Operator) else _step(pattern, False, False, self.say)
        )
        return words[:1].lower() + words[1:]

    def _missing(self, pattern: Pattern) -> str:
        """Of several that would do, none has come; of an outcome of its own, it has not."""
        if any(isinstance(part, Operator) and part.name != "ANYONE" for part in patterns(pattern)):
            return self.say.words["NOT"].format(self._told(pattern))
        return _inside(self.say.missing([name for leaf in leaves(pattern) for name in leaf.types]))

    def _lasts(self, window: int | Parameter | None) -> str:
        if isinstance(window, Parameter):
            return self.values.get(window.name, f"${window.name}")
        return self.say.lasting(window or 0)


def _inside(words: str) -> str:
    """As a part of a longer sentence."""
    return words[:1].lower() + words[1:]


@dataclass(frozen=True, slots=True)
class _Words(Writer):
    say: Vocabulary
    values: Mapping[str, str]
    order: tuple[str, ...]  # the components that happen
    several: bool = False  # whether it must be said whose attribute is meant

    def _comparison(self, comparison: Comparison) -> str:
        several = len({mention.var for mention in mentions(comparison)} - {None}) > 1
        return self._known(comparison, several) or self._compared(comparison, several)

    def _known(self, comparison: Comparison, several: bool) -> str | None:
        match comparison.left, comparison.right:
            case Attribute(name=name), Constant(value):
                return self.say.known.get((name, comparison.op, value))
            case Attribute(name=name), Attribute(name=other):
                known = self.say.known_of_two if several else self.say.known
                return known.get((name, comparison.op, other))
        return None

    def _compared(self, comparison: Comparison, several: bool) -> str:
        sides = replace(self, several=several)
        left, right = sides.expression(comparison.left), sides.expression(comparison.right)
        return self.say.comparisons[comparison.op].format(left, right)

    def _equivalence(self, attribute: str, value: str | None) -> str:
        name = self.say.label(attribute)
        if value is not None:
            return self.say.equal.format(name, value)
        return self.say.same.get(attribute, self.say.same_other.format(name))

    def _joined(self, word: Literal["AND", "OR"], parts: Sequence[str]) -> str:
        return self.say.words[word].join(parts)

    def _not(self, part: str) -> str:
        return self.say.words["NOT"].format(part)

    def _fenced(self, written: str) -> str:
        return written

    def _constant(self, value: Value) -> str:
        return str(value)

    def _parameter(self, name: str) -> str:
        return self.values.get(name, self.say.label(name))

    def _length(self, _var: str) -> str:
        return self.say.length

    def _aggregate(self, aggregate: Aggregate) -> str:
        what = self.say.label(aggregate.name) if aggregate.name else self.say.events
        return self.say.aggregates[aggregate.function].format(what)

    def _attribute(self, attribute: Attribute) -> str:
        said = self.say.indexes.get(attribute.index or "", "{}").format(self.say.label(attribute.name))
        if not self.several or attribute.var is None:
            return said
        return self.say.of_event.format(said, self._which(attribute.var))

    def _which(self, variable: str) -> str:
        at = self.order.index(variable) if variable in self.order else len(self.say.ordinals)
        return self.say.ordinals[at] if at < len(self.say.ordinals) else variable
