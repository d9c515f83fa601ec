"""The page about the engine: its examples run, and its tables name what there is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import sase
from tests.sase.pages import chapters, contents, run_examples

PAGE = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")


def rows(chapter: str) -> list[str]:
    text = PAGE.split(f"\n## {chapter}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \|", text, re.M)


def test_the_examples_run_one_after_the_other() -> None:
    assert run_examples(PAGE) >= 8


def test_every_option_and_every_limit_is_described() -> None:
    assert rows("Optimisations") == [field.name for field in fields(sase.Options)]
    assert rows("Limits") == [field.name for field in fields(sase.Limits)]


def test_every_chapter_is_in_the_contents() -> None:
    assert chapters(PAGE) == contents(PAGE)
