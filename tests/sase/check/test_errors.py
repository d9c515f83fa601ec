"""Every message of the table appears for its own example, and looks as the case file shows it."""

import pickle
import re
from pathlib import Path

import pytest

from sase.check.query import check
from sase.errors import QueryError
from sase.language import messages
from sase.language.parse import parse

PROBLEMS = {name: row for name, row in vars(messages).items() if isinstance(row, messages.Problem)}
CASES = re.split(
    r"^== ", Path(__file__).with_name("errors.case").read_text(encoding="utf-8"), flags=re.MULTILINE
)[1:]


def error_of(text: str, parameters=None) -> QueryError:
    with pytest.raises(QueryError) as caught:
        check(parse(text), text, parameters)
    return caught.value


def pattern_of(template: str) -> str:
    """A regular expression for all texts a template can give."""
    return re.sub(r"\\\{\w+\\\}", ".*", re.escape(template)) + r"\s*"


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_example_of_a_message_gets_that_message(name):
    row = PROBLEMS[name]
    error = error_of(row.example, row.given)
    assert re.fullmatch(pattern_of(row.message), error.message)
    assert re.fullmatch(pattern_of(row.hint), error.hint)


@pytest.mark.parametrize("case", CASES, ids=[case.partition("\n")[0] for case in CASES])
def test_a_bad_query_is_shown_with_its_line_a_caret_and_a_hint(case):
    question, answer = case.partition("\n")[2].split("\n----\n")
    assert str(error_of(question)) == answer.rstrip()


def test_an_error_knows_its_line_and_column():
    error = error_of("EVENT A x\nWHERE x.id = y.id")
    assert (error.line, error.column) == (2, 14)
    assert isinstance(error, ValueError)


def test_an_error_survives_the_way_to_another_process():
    error = error_of("EVENT A x WHERE y.id = 1")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_of_a_long_line_only_the_part_around_the_caret_is_shown():
    error = error_of("EVENT A x WHERE " + "x.id = 1 AND " * 1000 + "y.id = 1")
    line, caret = str(error).splitlines()[1:]
    assert line[caret.index("^")] == "y"
    assert len(line) < 300


@pytest.mark.parametrize(
    "value", [None, float("nan"), float("inf"), 10**5000, [1], {"a": 1}, b"bytes"], ids=type
)
def test_a_parameter_must_be_a_value_of_the_language(value):
    assert "$id cannot be" in error_of("EVENT A x WHERE x.id = $id", {"id": value}).message


@pytest.mark.parametrize("value", [True, "soon", "5 min extra", [5]])
def test_a_window_given_as_a_parameter_must_be_a_duration(value):
    assert "$w cannot be" in error_of("EVENT A x WITHIN $w", {"w": value}).message


@pytest.mark.parametrize("value", [0, -5, "0 sec", 0.2])
def test_a_window_given_as_a_parameter_must_not_be_empty(value):
    assert "length zero" in error_of("EVENT A x WITHIN $w", {"w": value}).message


@pytest.mark.parametrize("value", [0, 1.01, "0.5", True])
def test_a_probability_given_as_a_parameter_must_be_one(value):
    assert "probability" in error_of("EVENT A x HAVING PROBABILITY >= $p", {"p": value}).message


def test_a_parameter_of_the_wrong_kind_is_seen_where_it_stands():
    error = error_of("EVENT A x WHERE x.ts > $when", {"when": "noon"})
    assert "text and a number" in error.message
