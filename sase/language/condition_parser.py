"""Reads conditions and expressions, which share their parentheses and so are read by one descent."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from sase.errors import TextPlace, did_you_mean
from sase.language.cursor import MAX_DEPTH, Cursor
from sase.language.literal_parser import literal, optional_literal
from sase.language.mention_parser import Mentions
from sase.language.messages import NO_FUNCTION, NOT_A_CONDITION, NOT_A_VALUE, TOO_DEEP
from sase.language.tree import (
    AllOf,
    AnyOf,
    Arithmetic,
    Comparator,
    Comparison,
    Condition,
    Constant,
    Equivalence,
    Expression,
    Minus,
    Not,
    Sign,
)
from sase.language.words import FUNCTIONS, STRATEGIES

_COMPARATORS: dict[str, Comparator] = {op: op for op in get_args(Comparator)}
_SUM: dict[str, Sign] = {"+": "+", "-": "-"}
_PRODUCT: dict[str, Sign] = {"*": "*", "/": "/", "%": "%"}
_Node = Expression | Condition


class ConditionParser:
    """One descent over the cursor; `_height` is that of the expression read last."""

    def __init__(self, cursor: Cursor, mentions: Mentions) -> None:
        self._cursor = cursor
        self._mentions = mentions
        self._height = 0

    def condition(self) -> Condition:
        place = self._cursor.place
        return self._as_condition(self._disjunction(), place)

    def expression(self) -> Expression:
        place = self._cursor.place
        return self._as_expression(self._sum(), place)

    def _disjunction(self) -> _Node:
        return self._joined("OR", AnyOf, self._conjunction)

    def _conjunction(self) -> _Node:
        return self._joined("AND", AllOf, self._negation)

    def _joined(self, word: str, form: type[AllOf] | type[AnyOf], part: Callable[[], _Node]) -> _Node:
        start = self._cursor.place
        first = part()
        if not self._cursor.at(word):
            return first
        parts = [*_flat(self._as_condition(first, start), form)]
        while self._cursor.skip(word):
            place = self._cursor.place
            parts += _flat(self._as_condition(part(), place), form)
        return form(tuple(parts), start)

    def _negation(self) -> _Node:
        if not self._cursor.at("NOT"):
            return self._comparison()
        with self._cursor.nested():
            place = self._cursor.next().place
            start = self._cursor.place
            return Not(self._as_condition(self._negation(), start), place)

    def _comparison(self) -> _Node:
        if self._cursor.at("["):
            return self._equivalences()
        start = self._cursor.place
        left = self._sum()
        op = _COMPARATORS.get(self._cursor.token.text)
        if op is None or self._cursor.token.kind != "mark":
            return left
        place = self._cursor.next().place
        after = self._cursor.place
        right = self._as_expression(self._sum(), after)
        return Comparison(op, self._as_expression(left, start), right, place)

    def _equivalences(self) -> Condition:
        place = self._cursor.next().place
        found = [self._equivalence()]
        while self._cursor.skip(","):
            found.append(self._equivalence())
        self._cursor.expect("]", "equivalence tests are written [id] or [id, name = 'John']")
        return found[0] if len(found) == 1 else AllOf(tuple(found), place)

    def _equivalence(self) -> Equivalence:
        place = self._cursor.place
        name = self._cursor.name("an attribute")
        return Equivalence(name, literal(self._cursor) if self._cursor.skip("=") else None, place)

    def _sum(self) -> _Node:
        return self._chain(_SUM)

    def _chain(self, signs: dict[str, Sign]) -> _Node:
        cursor = self._cursor
        start = cursor.place
        operand = self._product if signs is _SUM else self._unary
        left = operand()
        height = self._height
        while cursor.token.kind == "mark" and (sign := signs.get(cursor.token.text)):
            place = cursor.next().place
            after = cursor.place
            right = self._as_expression(operand(), after)
            left = Arithmetic(sign, self._as_expression(left, start), right, place)
            height = self._higher(max(height, self._height), place)
        self._height = height
        return left

    def _product(self) -> _Node:
        return self._chain(_PRODUCT)

    def _higher(self, height: int, place: TextPlace) -> int:
        # A long chain of operators nests to the left without any parenthesis.
        if height >= 2 * MAX_DEPTH:
            raise self._cursor.error(TOO_DEEP, place, limit=2 * MAX_DEPTH)
        return height + 1

    def _unary(self) -> _Node:
        cursor = self._cursor
        self._height = 0
        value = optional_literal(cursor)
        if value is not None:
            return value
        if not cursor.at("-"):
            return self._primary()
        with cursor.nested():
            place = cursor.next().place
            start = cursor.place
            operand = self._as_expression(self._unary(), start)
            self._height = self._higher(self._height, place)
            return Minus(operand, place)

    def _primary(self) -> _Node:
        cursor = self._cursor
        if cursor.at("("):
            return self._group()
        if cursor.token.kind == "name" and cursor.after().text == "(":
            return self._call()
        return self._mentions.mention()

    def _group(self) -> _Node:
        with self._cursor.nested():
            self._cursor.next()
            inner = self._disjunction()
            if not self._cursor.skip(")"):
                raise self._cursor.expected(")", did_you_mean(self._cursor.token.text, ("AND", "OR")))
            return inner

    def _call(self) -> Expression:
        token = self._cursor.token
        if token.text.lower() in FUNCTIONS:
            return self._mentions.aggregate()
        near = did_you_mean(token.text, (*FUNCTIONS, *STRATEGIES))
        raise self._cursor.error(NO_FUNCTION, found=token.text, near=near)

    def _as_condition(self, node: _Node, place: TextPlace) -> Condition:
        if isinstance(node, Constant) and isinstance(node.value, bool):
            return Comparison("=", node, Constant(True, node.place), node.place)
        if not isinstance(node, Condition):
            raise self._cursor.error(NOT_A_CONDITION, place)
        return node

    def _as_expression(self, node: _Node, place: TextPlace) -> Expression:
        if isinstance(node, Condition):
            raise self._cursor.error(NOT_A_VALUE, place)
        return node


def _flat(part: Condition, form: type[AllOf] | type[AnyOf]) -> tuple[Condition, ...]:
    return part.parts if isinstance(part, form) else (part,)
