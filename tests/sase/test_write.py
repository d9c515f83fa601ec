"""A printed tree parses to the same tree."""

from hypothesis import given, settings

from sase.check import check
from sase.parse import parse
from sase.write import write
from tests.sase import printable, trees

THOROUGH = settings(max_examples=600, deadline=None)


@THOROUGH
@given(printable.queries)
def test_any_tree_survives_being_printed_and_parsed(query):
    assert parse(write(query)) == query


@THOROUGH
@given(printable.queries)
def test_constants_keep_their_kind_when_printed_and_parsed(query):
    assert repr(parse(write(query))) == repr(query)


@THOROUGH
@given(trees.queries())
def test_a_checked_tree_survives_being_printed_parsed_and_checked_again(query):
    text = write(query)
    checked = check(parse(text), text)
    assert check(parse(write(checked)), text) == checked
