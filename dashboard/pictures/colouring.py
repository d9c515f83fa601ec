"""A query cut into coloured pieces: what kind of word each is, as the language itself reads it."""

from __future__ import annotations

from collections.abc import Iterator

from sase.errors import QueryError
from sase.language.lexer import Token, tokens
from sase.language.words import CLAUSES, ENDS, FUNCTIONS, OPENINGS, OPERATORS

Piece = tuple[str, str]
_KEYWORDS = {*OPENINGS, *CLAUSES, *ENDS, *OPERATORS, "SEQ", "ANY", "BY"}
_FUNCTIONS = {name.upper() for name in FUNCTIONS}


def pieces(query: str) -> list[Piece]:
    """Kind and text of each piece; together they are the query, letter by letter."""
    try:
        return list(_pieces(query))
    except QueryError:
        return [("plain", query)]


def _pieces(query: str) -> Iterator[Piece]:
    at = 0
    for kind, start, end in _joined(tokens(query)[:-1]):
        if start > at:
            yield _gap(query[at:start])
        yield kind, query[start:end]
        at = end
    if at < len(query):
        yield _gap(query[at:])


def _gap(between: str) -> Piece:
    return ("comment" if between.strip() else "plain"), between


def _joined(found: list[Token]) -> Iterator[tuple[str, int, int]]:
    """Words with hyphens between them and no blanks are one name: the type of an event."""
    at = 0
    while at < len(found):
        last = at
        while last + 2 < len(found) and _hyphenated(found[last : last + 3]):
            last += 2
        kind = "type" if last > at else _kind(found[at])
        yield kind, found[at].start, found[last].end
        at = last + 1


def _hyphenated(three: list[Token]) -> bool:
    first, hyphen, second = three
    touching = first.end == hyphen.start and hyphen.end == second.start
    return touching and (first.kind, hyphen.text, second.kind) == ("name", "-", "name")


def _kind(token: Token) -> str:
    if token.kind == "name" and token.word in _KEYWORDS:
        return "keyword"
    if token.kind == "name" and token.word in _FUNCTIONS:
        return "function"
    return "name" if token.kind == "quoted" else token.kind
