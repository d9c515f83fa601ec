"""A button that prints the page: Streamlit has none."""

from __future__ import annotations

from dashboard.components.registered import component
from dashboard.words import text

_HTML = f'<div class="print-button"><button type="button">{text.report.PRINT}</button></div>'


def show(key: str) -> None:
    component("print_button", _HTML)(key=key, width="content")
