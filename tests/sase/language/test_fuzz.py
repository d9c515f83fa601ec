"""Whatever the text, the front end answers with a query or a QueryError, and soon."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sase.check.query import check
from sase.errors import QueryError
from sase.language.parse import parse
from sase.language.write import write
from tests.sase.effort import examples
from tests.sase.language import printable

PAPERS = Path(__file__).with_name("papers.sase").read_text(encoding="utf-8").split("\n\n")
WORDS = sorted({word for text in PAPERS for word in re.findall(r"\w+|\W", text)})
EXTRA = [
    "$p",
    "''",
    "..",
    "80%",
    "/*",
    "*/",
    "--",
    "\n",
    "HAVING",
    "PROBABILITY",
    "OUTPUT",
    "RETURN",
    "AS",
    "INTO",
]
THOROUGH = examples(800)
VALUES = {"p": "5 min"}


def answer(text: str) -> str:
    """The query printed again, or the error as shown; any other exception fails the test."""
    try:
        return write(check(parse(text), text, VALUES if "$p" in text else {}))
    except QueryError as error:
        return str(error)


@THOROUGH
@given(st.sampled_from(PAPERS), st.integers(0, 300))
def test_an_error_points_into_the_text(text, end):
    broken = text[:end] + " ;\n"
    with pytest.raises(QueryError) as caught:
        parse(broken)
    line = broken.split("\n")[caught.value.line - 1]
    assert 1 <= caught.value.column <= len(line) + 1


@THOROUGH
@given(st.text())
def test_any_text_is_a_query_or_a_query_error(text):
    assert answer(text)


@THOROUGH
@given(st.text(alphabet="aAi12 .,'\"[]{}()!=<>+-*/%$‘’∧≠\n"))
def test_any_text_after_where_is_a_condition_or_a_query_error(text):
    assert answer(f"EVENT SEQ(A+ a[], i-A i) WHERE {text}")


@THOROUGH
@given(st.lists(st.sampled_from([*WORDS, *EXTRA]), max_size=40), st.sampled_from(["", " "]))
def test_any_words_of_the_language_are_a_query_or_a_query_error(words, space):
    assert answer("EVENT " + space.join(words))


@THOROUGH
@given(
    st.sampled_from(PAPERS), st.integers(0, 300), st.integers(0, 10), st.sampled_from([*WORDS, *EXTRA, ""])
)
def test_a_query_with_a_piece_replaced_is_a_query_or_a_query_error(text, start, length, piece):
    assert answer(text[:start] + piece + text[start + length :])


@examples(200)
@given(printable.queries)
def test_any_printable_tree_is_checked_or_refused_with_a_query_error(query):
    assert answer(write(query))


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20_000,
        "EVENT " + "SEQ(" * 20_000,
        "EVENT " + "!(" * 20_000,
        "EVENT A x WHERE " + "(" * 20_000,
        "EVENT A x WHERE " + "NOT " * 20_000 + "x.a = 1",
        "EVENT A x WHERE x.a = " + "- " * 20_000 + "1",
        "EVENT A x WHERE x.a = " + "1 + " * 20_000 + "1",
        "EVENT A x WHERE x.a = " + "(1 + " * 20_000 + "1",
        "EVENT A x WHERE x.a = " + "a-" * 20_000 + "1",
        "EVENT A x WHERE x.a = " + "'" * 19_999,
        "EVENT A x " + "/*" * 20_000,
        "EVENT A x WHERE x.a = " + "9" * 20_000,
        "EVENT A x WITHIN 1e300 days",
        "EVENT A x WITHIN " + "9" * 4000 + " days",
        "EVENT A x WITHIN '" + "9" * 20_000 + " days'",
        "EVENT A x WHERE a[" + "i" * 20_000,
    ],
    ids=lambda text: text[:30],
)
def test_a_monstrous_text_is_refused(text):
    with pytest.raises(QueryError):
        check(parse(text), text)


@pytest.mark.parametrize(
    "text",
    [
        "EVENT A x WHERE " + "x.a = 1 AND " * 10_000 + "x.a = 1",
        "EVENT A x WHERE " + "x.a = 1 OR " * 10_000 + "x.a = 1",
        "EVENT SEQ(" + "A, " * 10_000 + "A)",
        "EVENT A" + "-A" * 20_000,
        "EVENT SEQ("
        + ", ".join(f"A-{n} x-{n}" for n in range(2000))
        + ") WHERE "
        + "x-1.n = 1 AND " * 2000
        + "[n]",
        "EVENT SEQ(" + "!(A), " * 10_000 + "A) WITHIN 3 sec",
        "EVENT A x WHERE x.a = '" + "a" * 1_000_000 + "'",
        "EVENT A x RETURN " + ", ".join(f"x.a{number}" for number in range(10_000)),
        "EVENT A x PARTITION BY " + ", ".join(f"a{number}" for number in range(10_000)),
        "EVENT A x" + "\n" * 1_000_000,
    ],
    ids=lambda text: text[:30],
)
def test_a_long_text_is_read_in_time_that_grows_with_its_length(text):
    query = check(parse(text), text)
    assert check(query, text) == query
