"""Everything the dashboard says stands in one folder, ready for translation."""

from __future__ import annotations

import ast
from pathlib import Path

import dashboard
from dashboard.words import text

TEXT = Path(text.__file__).parent
FOLDER = Path(dashboard.__file__).parent
SPOKEN = {
    "title",
    "header",
    "subheader",
    "caption",
    "markdown",
    "button",
    "error",
    "warning",
    "info",
    "toggle",
}


def modules() -> list[Path]:
    return [path for path in sorted(FOLDER.rglob("*.py")) if path.parent != TEXT]


def spoken_literals(path: Path) -> list[str]:
    """Words given straight to a call such as st.title("…")."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    return [
        f"{path.name}:{call.lineno}: {first.value!r}"
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr in SPOKEN and call.args
        if not logs(call.func.value)
        for first in call.args[:1]
        if isinstance(first, ast.Constant) and isinstance(first.value, str)
    ]


def logs(spoken_to: ast.expr) -> bool:
    """A line of the log is read by whoever runs Vigil, on no page."""
    return isinstance(spoken_to, ast.Name) and spoken_to.id == "_log"


def test_no_page_speaks_with_words_of_its_own() -> None:
    assert [found for path in modules() for found in spoken_literals(path)] == []


def test_every_text_is_used() -> None:
    pages = {page: vars(getattr(text, page)) for page in spoken_pages()}
    names = [f"text.{page}.{name}" for page, words in pages.items() for name in words if name.isupper()]
    code = "\n".join(path.read_text() for path in modules())
    assert [name for name in names if name not in code] == []


def test_every_module_of_words_can_be_reached() -> None:
    assert [page for page in spoken_pages() if not hasattr(text, page)] == []


def spoken_pages() -> list[str]:
    return sorted(path.stem for path in TEXT.glob("[!_]*.py"))
