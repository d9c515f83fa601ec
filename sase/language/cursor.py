"""A place in the tokens of a query, with the questions every part of the parser asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sase.errors import Problem, QueryError, TextPlace, problem
from sase.language.lexer import Token, tokens
from sase.language.messages import EXPECTED, TOO_DEEP

# Ten Python frames a level stay well inside the interpreter's own limit.
MAX_DEPTH = 40

_HYPHENATED = re.compile(r"[^\W\d]\w*(?:-\w+)*")


class Cursor:
    """The tokens and how far they have been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = tokens(text)
        self._at = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        return self._tokens[self._at]

    @property
    def place(self) -> TextPlace:
        return self._tokens[self._at].place

    def after(self, steps: int = 1) -> Token:
        return self._tokens[min(self._at + steps, len(self._tokens) - 1)]

    def before(self) -> Token:
        return self._tokens[max(self._at - 1, 0)]

    def next(self) -> Token:
        token = self.token
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def at(self, *words: str) -> bool:
        """Whether the token is one of these marks or words, the words in any case."""
        token = self.token
        return token.word in words and token.kind in ("mark", "name")

    def skip(self, word: str) -> bool:
        found = self.at(word)
        if found:
            self.next()
        return found

    def expect(self, word: str, hint: str = "") -> Token:
        if not self.at(word):
            raise self.expected(word, hint)
        return self.next()

    def name(self, wanted: str) -> str:
        """A plain name, such as an attribute's, or any other in backticks."""
        if self.token.kind not in ("name", "quoted") or self.token.text == "*":
            raise self.expected(wanted)
        return self.next().text

    def hyphenated(self, wanted: str) -> str:
        """A name that may contain hyphens, such as a type's."""
        if self.token.kind != "name":
            raise self.expected(wanted)
        return self.take(self.longest())

    def longest(self) -> str:
        """The name with all its hyphens that starts at this token."""
        match = _HYPHENATED.match(self.text, self.token.start)
        return match.group() if match else ""

    def take(self, name: str) -> str:
        """Moves past a hyphenated name, which may be several tokens."""
        end = self.token.start + len(name)
        while self.token.start < end and self.token.kind != "end":
            self.next()
        if self.before().end != end:  # `A-2.5`: a number reaches beyond the name
            raise self.error(
                EXPECTED, self.before().place, wanted="a name", found=self.before().text, hint=""
            )
        return name

    def expected(self, wanted: str, hint: str = "") -> QueryError:
        return self.error(EXPECTED, wanted=wanted, found=self.found(), hint=hint)

    def found(self) -> str:
        token = self.token
        return (
            "the end of the query"
            if token.kind == "end"
            else " ".join(self.text[token.start : token.end].split())[:60]
        )

    def error(self, row: Problem, place: TextPlace | None = None, **details: object) -> QueryError:
        return problem(row, self.text, place or self.place, **details)

    @property
    def is_inside(self) -> bool:
        """Whether more than one level is open, so that no clause can begin here."""
        return self._depth > 1

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One level deeper; too many are an error, long before Python's own stack ends."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.error(TOO_DEEP, limit=MAX_DEPTH)
        yield
        self._depth -= 1
