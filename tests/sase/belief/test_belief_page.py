"""The page about belief: its examples run, and its contents are complete."""

from __future__ import annotations

from pathlib import Path

from tests.sase.pages import chapters, contents, run_examples

PAGE = (Path(__file__).parents[3] / "docs" / "belief.md").read_text(encoding="utf-8")


def test_the_examples_run_one_after_the_other() -> None:
    assert run_examples(PAGE) >= 8


def test_every_chapter_is_in_the_contents() -> None:
    assert chapters(PAGE) == contents(PAGE)
