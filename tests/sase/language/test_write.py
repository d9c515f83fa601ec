"""A printed tree parses to the same tree."""

from hypothesis import given

from sase.check.query import check
from sase.language.parse import parse
from sase.language.write import write
from tests.sase import trees
from tests.sase.effort import examples
from tests.sase.language import printable

THOROUGH = examples(400)


@THOROUGH
@given(printable.queries)
def test_any_tree_survives_being_printed_and_parsed(query):
    parsed = parse(write(query))
    assert parsed == query
    assert repr(parsed) == repr(query)  # 1, 1.0 and true are equal, yet not the same


@THOROUGH
@given(trees.queries())
def test_a_checked_tree_survives_being_printed_parsed_and_checked_again(query):
    text = write(query)
    checked = check(parse(text), text)
    assert check(parse(write(checked)), text) == checked
