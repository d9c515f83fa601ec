"""The truth about loans: what is borrowed may leave, what is not is judged by the cards that go with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.place.scenario import load
from simulator.truth.deeds import Truth

LIBRARY = load(Path("scenarios/library.yaml"))
NAMES = LIBRARY.items.column("id").to_pylist()
BOOK, OTHER = NAMES.index("book-120"), NAMES.index("book-40")
LENT = NAMES.index(next(row["id"] for row in LIBRARY.items.to_pylist() if row["loaned_to"]))


@pytest.fixture
def truth() -> Truth:
    return Truth(LIBRARY)


def noted(truth: Truth) -> list[tuple[str, str, int]]:
    return [(one.detector, one.subject, one.ts) for one in truth.incidents]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ([], [("booklifting", "book-120", 5)]),
        (["patron-7"], []),
        (["patron-7", "patron-8"], [("confusion", "book-120", 5)]),
    ],
)
def test_a_book_that_is_nobodys_leaves_as_its_cards_say(
    truth: Truth, cards: list[str], expected: list[tuple[str, str, int]]
) -> None:
    truth.loans.left(cards, [BOOK], 5)
    assert noted(truth) == expected


@pytest.mark.parametrize("cards", [[], ["patron-7", "patron-8"]])
def test_what_is_borrowed_may_leave_with_anybody(truth: Truth, cards: list[str]) -> None:
    truth.loans.borrowed("patron-7", BOOK, 1)
    truth.loans.left(cards, [BOOK, LENT], 5)
    assert noted(truth) == []


def test_walking_out_with_one_card_is_a_loan(truth: Truth) -> None:
    truth.loans.left(["patron-7"], [BOOK], 5)
    assert truth.loans.of("patron-7") == [BOOK]


def test_what_was_given_back_can_be_stolen(truth: Truth) -> None:
    truth.loans.borrowed("patron-7", BOOK, 1)
    truth.loans.returned(BOOK)
    truth.loans.left([], [BOOK], 5)
    assert noted(truth) == [("booklifting", "book-120", 5)]


def test_the_loan_beyond_the_limit_is_told_and_giving_back_makes_room(truth: Truth) -> None:
    assert truth.loans.room("patron-6") == 0
    truth.loans.borrowed("patron-6", BOOK, 1)
    assert noted(truth) == [("over_limit", "patron-6", 1)]
    truth.loans.returned(BOOK)
    truth.loans.returned(truth.loans.of("patron-6")[0])
    truth.loans.borrowed("patron-6", OTHER, 2)
    assert len(noted(truth)) == 1
