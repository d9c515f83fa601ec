"""Reads the text of constraints: `prior(A, B), A AND B => NOT C BY order_id FOR 30 days UNTIL D; …`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, get_args

from sase.constraints.declared import CaseGroup, Constraint, ConstraintForm, Constraints, united
from sase.constraints.messages import (
    BAD_MEMORY,
    NO_CASE,
    NO_CONSTRAINTS,
    NO_FORM,
    NO_HEAD,
    NOT_THIS,
    STRAY_MARK,
    TWO_TYPES,
)
from sase.errors import Problem, QueryError, TextPlace, did_you_mean, problem
from sase.language.duration import milliseconds

PAIRS: dict[str, ConstraintForm] = {form: form for form in get_args(ConstraintForm) if form != "clause"}
_WORDS = frozenset(("AND", "NOT", "BY", "FOR"))

_PART = re.compile(
    r"""
      (?P<blank>\s+|/\*.*?\*/|--[^\n]*)
    | (?P<name>[^\W\d]\w*(?:-\w+)*)
    | (?P<quoted>`(?:[^`]|``)+`|'[^']*'|"[^"]*")
    | (?P<number>[0-9]+(?:\.[0-9]+)?)
    | (?P<mark>=>|⇒|→|∧|&&|¬|[(),;])
    """,
    re.VERBOSE | re.DOTALL,
)
_SAME_MARKS = {"⇒": "=>", "→": "=>", "∧": "AND", "&&": "AND", "¬": "NOT"}


class Word(NamedTuple):
    """A word or mark; `word` is it in capitals, empty for what is quoted."""

    kind: str
    text: str
    word: str
    place: TextPlace


def parse_constraints(text: str) -> Constraints:
    """QueryError, with line, column and a hint, if the text is none."""
    return ConstraintParser(text).constraints()


class ConstraintParser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._parts = list(_cut(text))
        self._at = 0

    def constraints(self) -> Constraints:
        groups: list[CaseGroup] = []
        while self._part.kind != "end":
            if not self._skip(";"):
                groups.append(self._group())
                if self._part.kind != "end":
                    self._expect(";", "groups of constraints are separated by ;")
        if not groups:
            raise self._error(NO_CONSTRAINTS)
        return united(self._text, tuple(groups))

    def _group(self) -> CaseGroup:
        found = [self._constraint()]
        while self._skip(","):
            found.append(self._constraint())
        if self._part.kind == "end" or self._at_mark(";"):
            raise self._error(NO_CASE)
        self._expect("BY", "constraints are separated by commas, and BY comes after the last one")
        by = [self._attribute()]
        while self._skip(","):
            by.append(self._attribute())
        remembered = self._duration() if self._skip("FOR") else None
        ends = [self._type()] if self._skip("UNTIL") else []
        while ends and self._skip(","):
            ends.append(self._type())
        return CaseGroup(tuple(found), tuple(dict.fromkeys(by)), remembered, tuple(dict.fromkeys(ends)))

    def _constraint(self) -> Constraint:
        place = self._part.place
        if self._part.kind == "name" and self._after.text == "(":
            return self._pair(place)
        body = [self._type()]
        while self._skip("AND"):
            body.append(self._type())
        if len(body) == 1 and not self._at_mark("=>"):
            raise self._error(NO_HEAD, place, found=body[0])
        self._expect("=>", "write what follows: A AND B => C")
        denies = self._skip("NOT")
        return Constraint("clause", (*dict.fromkeys(body), self._type()), denies, place)

    def _pair(self, place: TextPlace) -> Constraint:
        opening = self._next()
        form = PAIRS.get(opening.text.lower())
        if form is None:
            near = did_you_mean(opening.text, PAIRS)
            raise self._error(NO_FORM, place, found=opening.text, near=near and f"; {near}")
        self._expect("(")
        types = [self._type()]
        while self._skip(","):
            types.append(self._type())
        self._expect(")", f"the ( of {form} is still open")
        if len(types) != 2:
            raise self._error(TWO_TYPES, place, form=form)
        return Constraint(form, tuple(types), False, place)

    def _type(self) -> str:
        if self._part.kind != "name" or self._part.word in _WORDS:
            raise self._expected("an event type")
        return self._next().text

    def _attribute(self) -> str:
        part = self._part
        if part.kind == "quoted" and part.text.startswith("`"):
            return self._next().text[1:-1].replace("``", "`")
        if part.kind != "name" or part.word in _WORDS or "-" in part.text:
            raise self._expected("an attribute")
        return self._next().text

    def _duration(self) -> int:
        place, told = self._part.place, []
        while self._part.kind in ("number", "name", "quoted") and not self._at_mark("UNTIL"):
            told.append(self._next().text.strip("'\""))
        length = milliseconds(" ".join(told))
        if not length:
            raise self._error(BAD_MEMORY, place, found=" ".join(told) or "this")
        return length

    # Where the reading stands

    @property
    def _part(self) -> Word:
        return self._parts[self._at]

    @property
    def _after(self) -> Word:
        return self._parts[min(self._at + 1, len(self._parts) - 1)]

    def _next(self) -> Word:
        part = self._part
        self._at = min(self._at + 1, len(self._parts) - 1)
        return part

    def _at_mark(self, word: str) -> bool:
        return self._part.word == word

    def _skip(self, word: str) -> bool:
        found = self._at_mark(word)
        if found:
            self._next()
        return found

    def _expect(self, word: str, hint: str = "") -> None:
        if not self._skip(word):
            raise self._expected(word, hint)

    def _expected(self, wanted: str, hint: str = "") -> QueryError:
        found = self._part.text[:60] or "the end"
        return self._error(NOT_THIS, wanted=wanted, found=found, hint=hint)

    def _error(self, row: Problem, place: TextPlace | None = None, **details: object) -> QueryError:
        return problem(row, self._text, place or self._part.place, **details)


def _cut(text: str) -> Iterator[Word]:
    """All words and marks, and one part of kind `end`."""
    position, line, line_start = 0, 1, 0
    while position < len(text):
        place = TextPlace(line, position - line_start + 1)
        match = _PART.match(text, position)
        if match is None:
            raise problem(STRAY_MARK, text, place, found=text[position])
        kind, raw = str(match.lastgroup), match.group()
        plain = _SAME_MARKS.get(raw, raw)
        if kind != "blank":
            yield Word(kind, plain, "" if kind == "quoted" else plain.upper(), place)
        if "\n" in raw:
            line, line_start = line + raw.count("\n"), text.rindex("\n", position, match.end()) + 1
        position = match.end()
    yield Word("end", "", "", TextPlace(line, position - line_start + 1))
