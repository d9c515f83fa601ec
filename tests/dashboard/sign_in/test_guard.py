"""A database that takes calls and never answers holds up who asks for it, not every browser."""

from __future__ import annotations

import asyncio
import socket
import time
from concurrent.futures import ThreadPoolExecutor

from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from app import store
from app.place import scenario
from app.place.find import find_scenario
from app.store import Account
from dashboard.context import Context
from dashboard.sign_in.cookies import SignInCookies
from dashboard.sign_in.guard import Guard


async def page(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("here")(scope, receive, send)


async def asked(guard: Guard, path: str, cookie: str) -> float:
    """How long the answer took."""
    headers = [(b"cookie", f"vigil={cookie}".encode())]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "query_string": b""}
    began = time.monotonic()

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(_message: Message) -> None:
        """Nobody reads it."""

    await guard(scope, receive, send)
    return time.monotonic() - began


def test_a_database_that_never_answers_does_not_stop_the_others() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://vigil@127.0.0.1:{silent.getsockname()[1]}/vigil?connect_timeout=2"
        cookies = SignInCookies(Context(store.connect(url), scenario.load(find_scenario("store"))))
        guard = Guard(page, cookies=cookies)
        cookie = cookies.issue(Account("ada", "admin", 1, True))

        async def both() -> list[float]:
            return await asyncio.gather(asked(guard, "/", cookie), asked(guard, "/healthz", cookie))

        # In a thread of its own: a browser of another test's may have its loop in this one.
        with ThreadPoolExecutor(1) as own:
            waited, healthy = own.submit(asyncio.run, both()).result()
    assert healthy < 1.0 < waited < 30.0
