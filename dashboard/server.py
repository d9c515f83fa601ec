"""The web server: Streamlit behind the guard, the sign-in forms, and plotly.js from our own disk."""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

import streamlit as st
import uvicorn
from plotly.offline import get_plotlyjs
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dashboard.context import Context, set_context
from dashboard.entries import ENTRIES
from dashboard.front_page import FrontPage
from dashboard.sign_in.attempts import Attempts
from dashboard.sign_in.cookies import SignInCookies
from dashboard.sign_in.guard import Guard
from dashboard.sign_in.pages import SignInPages
from dashboard.site_choice import SITE_PATH, go_to_site

SCRIPT = Path(__file__).parent / "main.py"
PLOTLY_PATH = "/vigil/plotly.js"
_RUN = secrets.token_hex(8)  # by which a page that is open sees that the server is another


def build(context: Context) -> st.App:
    """The ASGI application that shows a place."""
    set_context(context)
    cookies = SignInCookies(context)
    pages = SignInPages(cookies, Attempts())
    routes = [
        Route("/login", pages.sign_in, methods=["GET", "POST"]),
        Route("/logout", pages.sign_out, methods=["GET", "POST"]),
        Route("/healthz", _healthz),
        Route(SITE_PATH + "{name}", go_to_site),
        Route(PLOTLY_PATH, _plotly),
    ]
    addresses = [entry.address for entry in ENTRIES]
    guarded = [
        Middleware(partial(Guard, cookies=cookies)),
        Middleware(partial(FrontPage, addresses=addresses)),
    ]
    return st.App(SCRIPT, routes=routes, middleware=guarded)


def serve(
    context: Context,
    host: str,
    port: int,
    certificate: Path | None = None,
    key: Path | None = None,
    trusted_proxies: Sequence[str] = (),
) -> None:
    """Serve until interrupted. Whom a proxy speaks for is believed of the trusted ones only."""
    uvicorn.run(
        build(context),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        server_header=False,
        ssl_certfile=certificate,
        ssl_keyfile=key,
        timeout_graceful_shutdown=2,
    )


async def _healthz(_request: Request) -> Response:
    return JSONResponse({"status": "ok", "run": _RUN})


async def _plotly(_request: Request) -> Response:
    headers = {"content-encoding": "gzip", "cache-control": "private, max-age=86400"}
    return Response(_packed_plotly(), media_type="text/javascript", headers=headers)


@cache
def _packed_plotly() -> bytes:
    return gzip.compress(get_plotlyjs().encode(), compresslevel=6)
