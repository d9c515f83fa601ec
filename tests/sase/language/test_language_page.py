"""The examples of the language's page for users do what the page says."""

import json
import re
from pathlib import Path

import pytest

import sase
from sase.check.query import check
from sase.errors import QueryError
from sase.language.parse import parse
from tests.sase.case import load
from tests.sase.test_cases import lines

PAGE = (Path(__file__).parents[3] / "docs" / "language.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sase(.*)\n((?:.*\n)*?)```$", PAGE, flags=re.MULTILINE)
EXAMPLES = [(text, json.loads(given or "{}")) for given, block in BLOCKS for text in block.split("\n\n")]
CASES = re.findall(r"^```case\n((?:.*\n)*?)```$", PAGE, flags=re.MULTILINE)
ERRORS = re.findall(r"^```error\n((?:.*\n)*?)----\n((?:.*\n)*?)```$", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize(("text", "parameters"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_of_the_page_is_compiled(text, parameters):
    assert sase.compile(text, parameters=parameters).explain()


@pytest.mark.parametrize(("text", "parameters"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_of_the_page_runs(text, parameters):
    query = sase.compile(text, parameters=parameters)
    types = sorted(query.types) * 3
    matcher = query.matcher()
    matcher.push([{"event": name, "ts": ts, "n": ts} for ts, name in enumerate(types)])
    matcher.finish()
    assert matcher.overflow == 0


@pytest.mark.parametrize("block", CASES, ids=range(len(CASES)))
def test_what_the_page_shows_comes_out(block, tmp_path):
    path = tmp_path / "page.case"
    path.write_text(f"== an example\n{block}", encoding="utf-8")
    (case,) = load(path)
    found = list(sase.compile(case.query).match(case.events))
    assert lines(found, case.matches, case.events) == lines(case.matches, case.matches, case.events)


@pytest.mark.parametrize(("text", "shown"), ERRORS, ids=range(len(ERRORS)))
def test_an_error_of_the_page_looks_as_shown(text, shown):
    with pytest.raises(QueryError) as caught:
        check(parse(text), text)
    assert str(caught.value) == shown.rstrip()


def test_every_chapter_of_the_page_is_in_its_contents():
    chapters = re.findall(r"^## (.*)$", PAGE, flags=re.MULTILINE)
    assert chapters == re.findall(r"^- \[(.*?)\]\(#", PAGE, flags=re.MULTILINE)
