"""Queries in colours: every word as the language reads it, and not a letter lost."""

from __future__ import annotations

import pytest

import detectors
from dashboard.pictures.colouring import pieces


@pytest.mark.parametrize("name", sorted(detectors.load()))
def test_the_pieces_together_are_the_query(name: str) -> None:
    query = detectors.load()[name].query
    assert "".join(words for _, words in pieces(query)) == query


def test_a_types_name_is_one_piece_even_where_it_holds_a_keyword() -> None:
    found = pieces(
        "EVENT SEQ(FITTING-LEFT x, !(EXIT-READING y)) -- out\nWHERE [id] AND x.n > 3 WITHIN $patience"
    )
    assert ("type", "FITTING-LEFT") in found
    assert ("type", "EXIT-READING") in found
    assert ("parameter", "$patience") in found
    assert ("number", "3") in found
    assert ("comment", " -- out\n") in found
    assert [words for kind, words in found if kind == "keyword"] == ["EVENT", "SEQ", "WHERE", "AND", "WITHIN"]


def test_a_difference_is_no_type() -> None:
    assert ("mark", "-") in pieces("EVENT A x WHERE x.a - x.b > 1")


def test_what_is_no_query_is_shown_as_it_is() -> None:
    assert pieces("EVENT 'open") == [("plain", "EVENT 'open")]
