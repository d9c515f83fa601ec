"""The web server: Streamlit behind the guard, the sign-in forms, and plotly.js from our own disk."""

from __future__ import annotations

import gzip
from functools import cache, partial
from pathlib import Path

import streamlit as st
import uvicorn
from plotly.offline import get_plotlyjs
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dashboard import context as places
from dashboard.context import Place
from dashboard.sign_in.attempts import Attempts
from dashboard.sign_in.guard import Guard
from dashboard.sign_in.pages import Forms

SCRIPT = Path(__file__).parent / "main.py"
PLOTLY_PATH = "/vigil/plotly.js"


def build(place: Place) -> st.App:
    """The ASGI application that shows a place."""
    places.show(place)
    forms = Forms(place, Attempts())
    routes = [
        Route("/login", forms.sign_in, methods=["GET", "POST"]),
        Route("/logout", forms.sign_out, methods=["GET", "POST"]),
        Route("/healthz", _healthz),
        Route(PLOTLY_PATH, _plotly),
    ]
    return st.App(SCRIPT, routes=routes, middleware=[Middleware(partial(Guard, gate=forms))])


def serve(
    place: Place, host: str, port: int, certificate: Path | None = None, key: Path | None = None
) -> None:
    """Serve until interrupted. Headers of proxies are not believed: the guard asks who really calls."""
    uvicorn.run(
        build(place),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ssl_certfile=certificate,
        ssl_keyfile=key,
        timeout_graceful_shutdown=2,
    )


async def _healthz(_request: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def _plotly(_request: Request) -> Response:
    headers = {"content-encoding": "gzip", "cache-control": "private, max-age=86400"}
    return Response(_packed_plotly(), media_type="text/javascript", headers=headers)


@cache
def _packed_plotly() -> bytes:
    return gzip.compress(get_plotlyjs().encode(), compresslevel=6)
