"""The pages of docs/ and the README name what exists: files, chapters and what can be imported."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FOLDERS = (
    "app",
    "benchmarks",
    "dashboard",
    "deploy",
    "detectors",
    "docs",
    "sase",
    "scenarios",
    "simulator",
    "tests",
)
NAMED = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[^\s`]*)`")
NEW = "NAME"  # stands in a path for what the reader is about to add
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)

every_page = pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])


@every_page
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    named = set(NAMED.findall(page.read_text(encoding="utf-8")))
    # The detector that the README shows is one for the reader to add.
    new = {path for path in named if NEW in path or path.endswith("left_in_fitting_room.yaml")}
    assert sorted(path for path in named - new if not list(ROOT.glob(path.rstrip("/")))) == []


@every_page
def test_every_link_of_a_page_leads_to_a_file_and_a_chapter(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not _leads_somewhere(page, *link)] == []


def _leads_somewhere(page: Path, file: str, chapter: str) -> bool:
    target = page.parent / file if file else page
    return target.exists() and (not chapter or chapter in _chapters(target))


def _chapters(page: Path) -> list[str]:
    """As GitHub names them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]


@every_page
def test_everything_that_a_page_imports_is_there(page: Path) -> None:
    blocks = PYTHON.findall(page.read_text(encoding="utf-8"))
    imports = [node for block in blocks for node in ast.walk(ast.parse(block))]
    assert [name for node in imports if isinstance(node, ast.ImportFrom) for name in _missing(node)] == []


def _missing(node: ast.ImportFrom) -> list[str]:
    module = importlib.import_module(node.module or "")
    return [
        f"{node.module}.{name.name}"
        for name in node.names
        if not hasattr(module, name.name) and not _is_module(f"{node.module}.{name.name}")
    ]


def _is_module(name: str) -> bool:
    try:
        return bool(importlib.import_module(name))
    except ModuleNotFoundError:
        return False
