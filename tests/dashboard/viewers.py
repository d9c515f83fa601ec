"""Browsers without a screen: they hold Streamlit's websocket and ask for the live page each second."""

from __future__ import annotations

import threading
import time
import urllib.request
from http.cookies import SimpleCookie

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

TICK_S = 1.0


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_rest: object) -> None:
        return None


def demo_cookie(port: int) -> str:
    """The cookie that the demo hands to a browser on this machine."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"accept": "text/html"})
    try:
        urllib.request.build_opener(_Stay).open(request)
    except urllib.error.HTTPError as answer:
        return SimpleCookie(answer.headers["set-cookie"])["vigil"].value
    raise RuntimeError("the demo did not hand out a cookie")


class Viewer(threading.Thread):
    """Notes when each word it was told to look for first came over the wire."""

    def __init__(self, port: int, cookie: str, words: list[bytes]) -> None:
        super().__init__(daemon=True)
        self.seen: dict[bytes, float] = {}
        self.live = threading.Event()
        self._words = words
        self._socket: ClientConnection = connect(
            f"ws://127.0.0.1:{port}/_stcore/stream",
            subprotocols=["streamlit"],
            additional_headers={"cookie": f"vigil={cookie}"},
            max_size=None,
        )

    def run(self) -> None:
        self._ask("")
        fragment, due = "", float("inf")
        while True:
            try:
                raw = self._socket.recv(timeout=max(0.0, min(due - time.monotonic(), 60.0)))
            except TimeoutError:
                self._ask(fragment)
                due = float("inf")
                continue
            except ConnectionClosed:
                return
            fragment, due = self._take_in(bytes(raw), fragment, due)  # type: ignore[arg-type]

    def close(self) -> None:
        self._socket.close()

    def _take_in(self, raw: bytes, fragment: str, due: float) -> tuple[str, float]:
        for word in self._words:
            if word not in self.seen and word in raw:
                self.seen[word] = time.monotonic()
        message = ForwardMsg.FromString(raw)
        if message.HasField("auto_rerun"):
            fragment = message.auto_rerun.fragment_id
        if message.HasField("script_finished") and fragment:
            self.live.set()
            due = time.monotonic() + TICK_S
        return fragment, due

    def _ask(self, fragment: str) -> None:
        message = BackMsg()
        message.rerun_script.fragment_id = fragment
        message.rerun_script.is_auto_rerun = bool(fragment)
        self._socket.send(message.SerializeToString())
