"""The page that every address answers with, and the one for addresses that there are not.

Streamlit's own page asks below every path where its server is, and calls an unknown address by its own name:
ours says where the server is, and says in our words what was not found, or that nobody answers.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache
from html import escape
from pathlib import Path
from string import Template

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.words import text

_SERVER = """<script>
      window.__streamlit = {
        BACKEND_BASE_URL: window.location.origin + "/",
        MAIN_PAGE_BASE_URL: window.location.origin + "/",
      }
    </script>
    """
_UNKNOWN = Template((Path(__file__).parent / "components" / "unknown.html").read_text())


class FrontPage:
    """Answers what a browser asks for as a page; all else goes on to Streamlit and our own routes."""

    def __init__(self, app: ASGIApp, addresses: Collection[str]) -> None:
        self._app, self._addresses = app, {"", *addresses}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _answer(Request(scope), self._addresses) if scope["type"] == "http" else None
        await (answer or self._app)(scope, receive, send)


def _answer(request: Request, addresses: Collection[str]) -> Response | None:
    name = request.url.path.strip("/")
    if request.method not in ("GET", "HEAD") or "text/html" not in request.headers.get("accept", ""):
        return None
    if name in addresses:
        return HTMLResponse(front_page(), headers={"cache-control": "no-cache"})
    if "/" in name or "." in name or name in _OTHERS:
        return None
    return HTMLResponse(_unknown(), 404)


_OTHERS = ("login", "logout", "healthz")


@cache
def front_page() -> str:
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    named = page.replace("<title>Streamlit</title>", f"<title>{text.terms.PRODUCT}</title>")
    return named.replace("<script", f"{_SERVER}<script>{_lost()}</script>\n    <script", 1)


def _lost() -> str:
    """What the page does when the server goes away, with its words in it."""
    words = {
        "lost": text.failures.LOST,
        "going": text.failures.GOING,
        "back": text.failures.COMES_BACK,
        "far": text.failures.SO_FAR,
    }
    script = (Path(__file__).parent / "components" / "lost.js").read_text(encoding="utf-8")
    return script.replace("WORDS", json.dumps(words), 1)


@cache
def _unknown() -> str:
    return _UNKNOWN.substitute(
        product=escape(text.terms.PRODUCT),
        title=escape(text.failures.UNKNOWN_ADDRESS),
        words=escape(text.failures.UNKNOWN_ADDRESS_WORDS),
        live=escape(text.failures.TO_LIVE),
    )
