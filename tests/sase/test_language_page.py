"""The examples of the language's page for users do what the page says."""

import json
import re
from pathlib import Path

import pytest

from sase.check.query import check
from sase.errors import QueryError
from sase.language.parse import parse

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sase(.*)\n((?:.*\n)*?)```$", PAGE, flags=re.MULTILINE)
EXAMPLES = [(text, json.loads(given or "{}")) for given, block in BLOCKS for text in block.split("\n\n")]
ERRORS = re.findall(r"^```error\n((?:.*\n)*?)----\n((?:.*\n)*?)```$", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize(("text", "parameters"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_of_the_page_is_a_query(text, parameters):
    assert check(parse(text), text, parameters).pattern


@pytest.mark.parametrize(("text", "shown"), ERRORS, ids=range(len(ERRORS)))
def test_an_error_of_the_page_looks_as_shown(text, shown):
    with pytest.raises(QueryError) as caught:
        check(parse(text), text)
    assert str(caught.value) == shown.rstrip()


def test_every_chapter_of_the_page_is_in_its_contents():
    chapters = re.findall(r"^## (.*)$", PAGE, flags=re.MULTILINE)
    assert chapters == re.findall(r"^- \[(.*?)\]\(#", PAGE, flags=re.MULTILINE)
