"""Stands in front of every page and of the websocket: nobody passes without a good sign-in."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import MutableMapping
from functools import cache
from hashlib import sha256
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.front_page import front_page
from dashboard.sign_in.cookies import COOKIE, DEMO, SignInCookies
from dashboard.words import text

OPEN_PATHS = ("/login", "/healthz")
_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}


class Guard:
    def __init__(self, app: ASGIApp, cookies: SignInCookies) -> None:
        self._app, self._cookies = app, cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if scope["path"] in OPEN_PATHS or await self._knows(connection):
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4401, "reason": text.sign_in.SIGNED_OUT})
        else:
            await self._refuse(connection)(scope, receive, _with_headers(send))

    async def _knows(self, connection: HTTPConnection) -> bool:
        """In a thread: a database that does not answer holds up who asks for it, not every browser."""
        return await run_in_threadpool(self._cookies.lets_in, connection.cookies.get(COOKIE))

    def _refuse(self, connection: HTTPConnection) -> Response:
        wanted = connection.url.path + (f"?{connection.url.query}" if connection.url.query else "")
        if "text/html" not in connection.headers.get("accept", ""):
            return PlainTextResponse(text.sign_in.SIGNED_OUT, 401)
        if self._cookies.context.demo and is_local(connection):
            return self._cookies.admit(RedirectResponse(wanted, 303), DEMO, connection)
        return RedirectResponse(f"/login?next={quote(wanted, safe='')}", 303)


def is_local(connection: HTTPConnection) -> bool:
    """A browser on this machine: not a proxy's word for it, and not another site's name for our address."""
    sender = connection.client.host if connection.client else ""
    forwarded = {"forwarded", "x-forwarded-for", "x-real-ip"} & set(connection.headers.keys())
    return _is_loopback(sender) and _is_loopback(connection.url.hostname or "") and not forwarded


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _with_headers(send: Send) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        await send(_dressed(message))

    return sent


def _dressed(message: Message) -> Message:
    """What an answer says of itself stays: the sign-in forms have a stricter policy."""
    if message["type"] != "http.response.start":
        return message
    own = list(message.get("headers", ()))
    named = {bytes(name).lower() for name, _ in own}
    added = [(name, value) for name, value in _headers().items() if name not in named]
    return {**message, "headers": [*own, *added]}


@cache
def _headers() -> dict[bytes, bytes]:
    return {**_HEADERS, b"content-security-policy": policy().encode()}


def policy() -> str:
    """Scripts from this server only, those that are written into the page, and those of components,
    which Streamlit loads as blobs; WebAssembly, in which it lays out graphs; styles are written into elements
    everywhere."""
    inline = re.findall(r"<script>(.*?)</script>", front_page(), re.DOTALL)
    hashes = [f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in inline]
    return (
        f"default-src 'self'; script-src 'self' blob: {' '.join(hashes)} 'wasm-unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "media-src 'self' data: blob:; "
        "worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'self'; "
        "form-action 'self'; frame-ancestors 'none'"
    )
