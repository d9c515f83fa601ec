"""The page about belief: its examples run, and its contents are complete."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).parents[3] / "docs" / "belief.md").read_text(encoding="utf-8")


def test_the_examples_run_one_after_the_other() -> None:
    scope: dict[str, Any] = {}
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    for block in blocks:
        exec(block, scope)
    assert len(blocks) >= 8


def test_every_chapter_is_in_the_contents() -> None:
    chapters = re.findall(r"^## (.*)$", PAGE, re.M)
    assert chapters == re.findall(r"^- \[(.*?)\]\(#", PAGE, re.M)
