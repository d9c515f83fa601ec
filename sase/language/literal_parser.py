"""Reads values that stand for themselves: texts, numbers, percentages, true, false and `$name`."""

from __future__ import annotations

from sase.errors import TextPlace, problem
from sase.language.cursor import Cursor
from sase.language.lexer import Token
from sase.language.messages import LITERAL_NEEDED, NUMBER_SIZE, PROBABILITY
from sase.language.tree import Constant, Parameter, Value
from sase.language.words import ENDS

# Between these and a number before it, `%` is modulo.
_OPERANDS = ("name", "quoted", "number", "string", "parameter")


def literal(cursor: Cursor) -> Constant | Parameter:
    """A value where nothing else may stand."""
    found = optional_literal(cursor)
    if found is None:
        raise cursor.error(LITERAL_NEEDED, found=cursor.found())
    return found


def optional_literal(cursor: Cursor) -> Constant | Parameter | None:
    """A value, or None if something else stands here."""
    token = cursor.token
    if token.kind == "parameter":
        return parameter(cursor)
    if cursor.at("-") and cursor.after().kind == "number":
        cursor.next()
        return Constant(-_number(cursor), token.place)
    if token.kind == "number":
        return Constant(_number(cursor), token.place)
    if token.kind == "string" or cursor.at("TRUE", "FALSE"):
        value: Value = token.value if token.kind == "string" else token.word == "TRUE"
        return Constant(value, cursor.next().place)
    return None


def probability(value: Value, text: str, place: TextPlace) -> float:
    """The value as a probability in (0, 1]; QueryError if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise problem(PROBABILITY, text, place)
    return float(value)


def parameter(cursor: Cursor) -> Parameter:
    """`$name`, wherever a value may stand."""
    token = cursor.next()
    return Parameter(token.text[1:], token.place)


def _number(cursor: Cursor) -> int | float:
    token = cursor.next()
    assert isinstance(token.value, int | float)
    if not _is_percentage(cursor, token):
        return token.value
    cursor.next()
    try:
        return token.value / 100
    except OverflowError:
        raise cursor.error(NUMBER_SIZE, token.place) from None


def _is_percentage(cursor: Cursor, number: Token) -> bool:
    """Whether the number is followed by `%` and that by anything that begins no operand."""
    sign, after = cursor.token, cursor.after()
    if sign.text != "%" or sign.start != number.end:
        return False
    return after.text != "(" and (after.kind not in _OPERANDS or after.word in ENDS)
