"""The one error a bad query raises, and the way it shows where the text went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

_WIDTH = 200  # of a longer line only the part around the caret is shown


@dataclass(frozen=True, slots=True)
class TextPlace:
    """Where something stands in the text of a query; both count from 1."""

    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """One row of the table of messages; `example` is a text that must be answered with this one."""

    message: str
    hint: str
    example: str
    given: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)


class QueryError(ValueError):
    """A text that is no query. Line and column count from 1; `hint` is empty where none can be given."""

    def __init__(self, message: str, text: str, place: TextPlace, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.text = text
        self.line = place.line
        self.column = place.column

    def __reduce__(self) -> tuple[type[QueryError], tuple[str, str, TextPlace, str]]:
        return QueryError, (self.message, self.text, TextPlace(self.line, self.column), self.hint)

    def __str__(self) -> str:
        line = self.text.split("\n")[self.line - 1].rstrip("\r")
        cut = max(0, self.column - _WIDTH // 2)
        # A tab stays a tab before the caret, so that both lines indent alike.
        indent = "".join("\t" if mark == "\t" else " " for mark in line[cut : self.column - 1])
        shown = f"  {line[cut : cut + _WIDTH]}\n  {indent}^"
        message = f"line {self.line}, column {self.column}: {self.message}\n{shown}"
        return f"{message}\nhint: {self.hint}" if self.hint else message


def problem(row: Problem, text: str, place: TextPlace, **details: object) -> QueryError:
    """The error for one row of the table of messages."""
    return QueryError(row.message.format(**details), text, place, row.hint.format(**details).strip())


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`did you mean X?` for the known word nearest to this one, or nothing."""
    by_case = {name.casefold(): name for name in known}
    near = get_close_matches(word[:100].casefold(), by_case, n=1, cutoff=0.6)
    return f"did you mean {by_case[near[0]]}?" if near else ""
