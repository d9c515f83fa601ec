"""The truth about loans: who has borrowed what, who too much, and what left the library without a loan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

NoteBook = Callable[[str, int, int, Sequence[str]], None]
NotePatron = Callable[[str, str, int, Sequence[str]], None]


class Loans:
    """Begins with the loans that the catalog knows of; books and cards are rows of it."""

    def __init__(self, rows: Mapping[str, Sequence[Any]], note: NotePatron, note_book: NoteBook) -> None:
        self._note, self._note_book = note, note_book
        self._ids = rows["id"]
        self._limits = dict(zip(rows["id"], rows.get("limit", ()), strict=False))
        self._borrower = {
            book: str(patron) for book, patron in enumerate(rows.get("loaned_to", ())) if patron
        }

    def of(self, patron: str) -> list[int]:
        return [book for book, borrower in self._borrower.items() if borrower == patron]

    def room(self, patron: str) -> int:
        """How many more the patron may borrow."""
        return int(self._limits[patron]) - len(self.of(patron))

    def borrowed(self, patron: str, book: int, now: int, seen: Sequence[str] = ()) -> None:
        """`seen`: whose reads alone tell of it; none at a scanner, which beeps."""
        self._borrower[book] = patron
        if self.room(patron) < 0:
            self._note("over_limit", patron, now, seen)

    def returned(self, book: int) -> None:
        self._borrower.pop(book, None)

    def left(self, cards: Sequence[str], books: Iterable[int], now: int) -> None:
        """People who leave together: one card borrows what is not yet borrowed, no card steals it."""
        for book in books:
            if book in self._borrower:
                continue
            if len(cards) == 1:
                self.borrowed(cards[0], book, now, (self._ids[book], cards[0]))
            else:
                self._note_book("confusion" if cards else "booklifting", book, now, cards)
