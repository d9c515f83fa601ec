"""Cuts the text of a query into words, numbers, strings and marks, each with its place."""

from __future__ import annotations

import math
import re
from typing import Literal, NamedTuple

from sase.errors import TextPlace, problem
from sase.language.messages import NUMBER_SIZE, OPEN_COMMENT, OPEN_NAME, OPEN_STRING, STRAY_CHARACTER
from sase.language.tree import Value

TokenKind = Literal["name", "quoted", "number", "string", "parameter", "mark", "end"]

_TOKEN = re.compile(
    r"""
      (?P<blank>\s+|/\*.*?\*/|--[^\n]*)
    | (?P<name>[^\W\d]\w*)
    | (?P<quoted>`(?:[^`]|``)+`)
    | (?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
    | (?P<string>'[^']*(?:''[^']*)*' | "[^"]*(?:""[^"]*)*" | [‘’][^’]*(?:’’[^’]*)*’ | [“”][^”]*(?:””[^”]*)*”)
    | (?P<parameter>\$[^\W\d]\w*)
    | (?P<mark>\.\.|&&|\|\||==|!=|<>|>=|<=|/(?!\*)|[-+*%=<>(){}\[\].,!~∼˜∧∨¬≠≥≤−])
    """,
    re.VERBOSE | re.DOTALL,
)

# The forms in which the papers print one and the same mark.
_SAME = {
    "∧": "AND", "&&": "AND", "∨": "OR", "||": "OR", "¬": "NOT", "==": "=", "<>": "!=", "≠": "!=",
    "≥": ">=", "≤": "<=", "~": "!", "∼": "!", "˜": "!", "−": "-",
}  # fmt: skip


class Token(NamedTuple):
    """`text` is the mark in its plain form, or the word as written; `word` the same in capitals.

    A quoted name is no word of the language, whatever it is."""

    kind: TokenKind
    text: str
    word: str
    value: Value
    place: TextPlace
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """All tokens of the text and one of kind `end`."""
    found: list[Token] = []
    position, line, line_start = 0, 1, 0
    while position < len(text):
        place = TextPlace(line, position - line_start + 1)
        match = _TOKEN.match(text, position)
        if match is None:
            raise _stray(text, position, place)
        if match.lastgroup != "blank":
            found.append(_token(text, match, place))
        newlines = text.count("\n", position, match.end())
        if newlines:
            line, line_start = line + newlines, text.rindex("\n", position, match.end()) + 1
        position = match.end()
    found.append(Token("end", "", "", None, TextPlace(line, position - line_start + 1), position, position))
    return found


def _token(text: str, match: re.Match[str], place: TextPlace) -> Token:
    kind: TokenKind = match.lastgroup  # type: ignore[assignment]  # the groups are the kinds
    raw = match.group()
    value: Value = None
    if kind == "number":
        value = _number(raw, text, place)
    elif kind == "string":
        value = raw[1:-1].replace(raw[-1] * 2, raw[-1])
    elif kind == "parameter":
        value = raw[1:]
    if kind == "quoted":
        return Token(kind, raw[1:-1].replace("``", "`"), "", None, place, match.start(), match.end())
    plain = _SAME.get(raw, raw) if kind == "mark" else raw
    return Token(kind, plain, plain.upper(), value, place, match.start(), match.end())


def _number(raw: str, text: str, place: TextPlace) -> int | float:
    try:
        value = int(raw) if raw.isdigit() else float(raw)
    except ValueError:  # Python refuses integers of more than 4300 digits
        value = math.inf
    if value == math.inf:
        raise problem(NUMBER_SIZE, text, place)
    return value


def _stray(text: str, position: int, place: TextPlace) -> Exception:
    if text.startswith("/*", position):
        return problem(OPEN_COMMENT, text, place)
    if text[position] in "'\"‘’“”":
        return problem(OPEN_STRING, text, place)
    if text[position] == "`":
        return problem(OPEN_NAME, text, place)
    mark = text[position]
    return problem(STRAY_CHARACTER, text, place, found=mark if mark.isprintable() else f"U+{ord(mark):04X}")
