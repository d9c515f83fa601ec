"""A table of sites whose columns line up, and whose names lead into a site's pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import quote

from dashboard.site_choice import SITE_PATH


def way(site: str, label: str, alert: str = "") -> str:
    """Followed by the browser itself, which learns by it which site it looks at."""
    query = f"?alert={quote(alert, safe='')}" if alert else ""
    return f'<a href="{SITE_PATH}{quote(site)}{query}" target="_self">{escape(label)}</a>'


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, figures: int = 0) -> str:
    """Of cells that are HTML; the last `figures` columns are numbers, which stand under each other."""
    count = len(headings)
    kinds = [' class="figure"' if number >= count - figures else "" for number in range(count)]
    head = "".join(f"<th{kind}>{escape(one)}</th>" for one, kind in zip(headings, kinds, strict=True))
    body = "".join(
        "<tr>" + "".join(_cell(*one) for one in zip(headings, row, kinds, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<table class="sites"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cell(heading: str, cell: str, kind: str) -> str:
    """On a phone, where there are no columns, the heading stands before it."""
    return f'<td{kind} data-heading="{escape(heading)}">{cell}</td>'
