"""Reads the pattern of a query: components, SEQ, AND, negation and the TelegraphCQ operators."""

from __future__ import annotations

from sase.errors import TextPlace, did_you_mean
from sase.language.cursor import Cursor
from sase.language.lexer import Token
from sase.language.messages import EMPTY_LIST, KLEENE_FORM, NO_OPERATOR, OPERATOR_PARTS, OPERATOR_WINDOW
from sase.language.tree import Absent, And, Leaf, Operator, Pattern, Seq
from sase.language.window_parser import semantic_window
from sase.language.words import ENDS, OPERATORS, RESERVED


def pattern(cursor: Cursor) -> Pattern:
    """Any pattern, at any depth."""
    with cursor.nested():
        if cursor.at("!"):
            return Absent(place=cursor.next().place, part=pattern(cursor))
        if cursor.at("("):
            return _group(cursor)
        if cursor.token.kind == "name" and cursor.after().text == "(":
            return _call(cursor)
        place = cursor.place
        return _leaf(cursor, (_type(cursor),), place)


def _group(cursor: Cursor) -> Pattern:
    cursor.expect("(")
    inner = pattern(cursor)
    cursor.expect(")")
    return inner


def _call(cursor: Cursor) -> Pattern:
    opening = cursor.next()
    cursor.expect("(")
    if cursor.at(")"):
        raise cursor.error(EMPTY_LIST, opening.place, name=opening.text)
    match opening.word:
        case "SEQ":
            return Seq(_parts(cursor, opening.word), opening.place)
        case "AND":
            return And(_parts(cursor, opening.word), opening.place)
        case "ANY":
            return _leaf(cursor, _types(cursor), opening.place)
        case word if word in OPERATORS:
            return _operator(cursor, opening)
        case "NOT":
            raise cursor.error(NO_OPERATOR, opening.place, found="NOT", near="write a negation as !(T x)")
    near = did_you_mean(opening.text, ("SEQ", "AND", "ANY", *OPERATORS))
    raise cursor.error(NO_OPERATOR, opening.place, found=opening.text, near=near)


def _parts(cursor: Cursor, name: str) -> tuple[Pattern, ...]:
    parts = [pattern(cursor)]
    while cursor.skip(","):
        parts.append(pattern(cursor))
    if not cursor.skip(")"):
        raise cursor.expected(", or )", f"the ( of {name} is still open")
    return tuple(parts)


def _types(cursor: Cursor) -> tuple[str, ...]:
    types = [_type(cursor)]
    while cursor.skip(","):
        types.append(_type(cursor))
    cursor.expect(")", "ANY holds event types, and its variable follows it: ANY(T1, T2) x")
    return tuple(dict.fromkeys(types))


def _type(cursor: Cursor) -> str:
    if not _may_be_name(cursor):
        raise cursor.expected("an event type")
    return cursor.hyphenated("an event type")


def _may_be_name(cursor: Cursor) -> bool:
    taken = RESERVED if cursor.is_inside else ENDS
    return cursor.token.kind == "name" and cursor.token.word not in taken


def _leaf(cursor: Cursor, types: tuple[str, ...], place: TextPlace) -> Leaf:
    kleene = cursor.skip("+")
    var = cursor.hyphenated("a variable") if _may_be_name(cursor) else None
    brackets = var is not None and cursor.at("[")
    if brackets:
        cursor.next()
        cursor.expect("]")
    if var is not None and brackets != kleene:
        raise cursor.error(KLEENE_FORM, cursor.before().place, right=f"{types[0]}+ {var}[]")
    return Leaf(types, var, kleene, place)


def _operator(cursor: Cursor, opening: Token) -> Operator:
    name, place = OPERATORS[opening.word], opening.place
    shape = f"{name}(E1, E2)" if name == "ANYONE" else f"{name}(E1, E2, '3 sec')"
    left = pattern(cursor)
    if not cursor.skip(","):
        raise cursor.error(OPERATOR_PARTS, place, name=name, right=shape)
    right = pattern(cursor)
    if name == "ANYONE":
        cursor.expect(")", f"write {shape}")
        return Operator(name, left, right, None, place)
    if not cursor.skip(","):
        raise cursor.error(OPERATOR_WINDOW, place, name=name)
    window = semantic_window(cursor)
    cursor.expect(")")
    return Operator(name, left, right, window, place)
