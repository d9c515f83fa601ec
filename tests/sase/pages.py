"""What the tests of a page of the docs have in common: its Python examples, and its contents."""

from __future__ import annotations

import re
from typing import Any


def run_examples(page: str) -> int:
    """Run the page's Python one block after the other, in one scope; how many blocks there are."""
    scope: dict[str, Any] = {}
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    for block in blocks:
        exec(block, scope)
    return len(blocks)


def chapters(page: str) -> list[str]:
    return re.findall(r"^## (.*)$", page, re.M)


def contents(page: str) -> list[str]:
    return re.findall(r"^- \[(.*?)\]\(#", page, re.M)
