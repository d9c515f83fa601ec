"""Signing in: no page and no websocket without a sign-in, no sign-in without password and genuine form."""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from app import store
from app.store import Actor
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.servers import Server, dashboard

HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with dashboard(tmp_path_factory.mktemp("sign-in")) as running:
        seed.accounts(running.store, time.time_ns() // 1_000_000)
        yield running


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with dashboard(tmp_path_factory.mktemp("demo"), "--demo") as running:
        yield running


class Answer:
    def __init__(self, raw: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.body = raw.status, raw.headers, raw.read().decode()
        cookies = [line.partition("=") for line in raw.headers.get_all("set-cookie") or []]
        self.cookies = {name: value.partition(";")[0] for name, _, value in cookies}
        self.raw_cookies = {name: value for name, _, value in cookies}


def call(server: Server, method: str, path: str, headers: dict[str, str], body: str = "") -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(method, path, body or None, headers)
    answer = Answer(connection.getresponse())
    connection.close()
    return answer


def sign_in(server: Server, name: str, password: str, **changes: str) -> Answer:
    form = call(server, "GET", "/login", HTML)
    token = re.search(r'name="token" value="([^"]+)"', form.body)
    assert token is not None
    fields = {"name": name, "password": password, "token": token[1], "next": "/"} | changes
    cookie = "; ".join(f"{key}={value}" for key, value in form.cookies.items())
    headers = {"content-type": "application/x-www-form-urlencoded", "cookie": cookie}
    return call(server, "POST", "/login", headers, urlencode(fields))


def test_a_page_sends_a_stranger_to_the_sign_in_and_remembers_where_to_go_on(server: Server) -> None:
    answer = call(server, "GET", "/alert?id=7", HTML)
    assert (answer.status, answer.headers["location"]) == (303, "/login?next=%2Falert%3Fid%3D7")


@pytest.mark.parametrize("path", ["/vigil/plotly.js", "/_stcore/host-config", "/static/js/x.js", "/media/x"])
def test_nothing_behind_the_pages_is_handed_to_a_stranger(server: Server, path: str) -> None:
    assert call(server, "GET", path, {}).status == 401


def test_the_websocket_is_closed_to_a_stranger(server: Server) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://127.0.0.1:{server.port}/_stcore/stream", subprotocols=["streamlit"])


def test_a_forged_cookie_opens_nothing(server: Server) -> None:
    answer = call(server, "GET", "/", HTML | {"cookie": "vigil=1:ada.aGk.c2lnbmF0dXJl"})
    assert answer.headers["location"].startswith("/login")


def test_the_right_password_opens_pages_and_websocket(server: Server) -> None:
    answer = sign_in(server, "vera", seed.PASSWORD)
    assert (answer.status, answer.headers["location"]) == (303, "/")
    cookie = {"cookie": f"vigil={answer.cookies['vigil']}"}
    assert call(server, "GET", "/", HTML | cookie).status == 200
    with connect(
        f"ws://127.0.0.1:{server.port}/_stcore/stream", subprotocols=["streamlit"], additional_headers=cookie
    ) as socket:
        assert socket.subprotocol == "streamlit"


def test_the_cookie_is_kept_from_scripts_and_other_sites(server: Server) -> None:
    kept = sign_in(server, "vera", seed.PASSWORD).raw_cookies["vigil"]
    assert "HttpOnly" in kept
    assert "SameSite=lax" in kept


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(server: Server) -> None:
    answers = [sign_in(server, name, "wrong") for name in ("vera", "nobody")]
    assert [answer.status for answer in answers] == [401, 401]
    assert all(text.sign_in.WRONG_PASSWORD in answer.body for answer in answers)


def test_a_form_from_another_site_is_refused(server: Server) -> None:
    answer = sign_in(server, "vera", seed.PASSWORD, token="guessed")
    assert answer.status == 403
    assert "vigil" not in answer.cookies


def test_after_sign_in_one_stays_on_this_dashboard(server: Server) -> None:
    for elsewhere in ("https://evil.example", "//evil.example", "/\\evil.example"):
        assert sign_in(server, "stan", seed.PASSWORD, next=elsewhere).headers["location"] == "/"


def test_guessing_is_stopped_after_five_tries(server: Server) -> None:
    tries = [sign_in(server, "ada", "wrong").status for _ in range(6)]
    assert tries == [401] * 5 + [429]
    assert sign_in(server, "ada", seed.PASSWORD).status == 429


def test_a_closed_account_is_out_at_once(server: Server) -> None:
    now = time.time_ns() // 1_000_000
    store.add_account(server.store, seed.ADMIN, "temp", "staff", seed.PASSWORD, now_ms=now)
    cookie = {"cookie": f"vigil={sign_in(server, 'temp', seed.PASSWORD).cookies['vigil']}"}
    assert call(server, "GET", "/", HTML | cookie).status == 200
    store.set_active(server.store, seed.ADMIN, "temp", False, now_ms=now)
    assert call(server, "GET", "/", HTML | cookie).status == 303


def test_signing_out_needs_the_genuine_form_and_takes_the_cookie_away(server: Server) -> None:
    cookie = f"vigil={sign_in(server, 'stan', seed.PASSWORD).cookies['vigil']}"
    form = call(server, "GET", "/logout", HTML | {"cookie": cookie})
    token = form.cookies["vigil_form"]
    headers = {"content-type": "application/x-www-form-urlencoded", "cookie": f"{cookie}; vigil_form={token}"}
    assert call(server, "POST", "/logout", headers, urlencode({"token": "guessed"})).status == 403
    answer = call(server, "POST", "/logout", headers, urlencode({"token": token}))
    assert (answer.status, answer.cookies["vigil"]) == (303, '""')


def test_a_restart_of_the_dashboard_signs_nobody_out(tmp_path: Path) -> None:
    with dashboard(tmp_path) as first:
        seed.accounts(first.store, time.time_ns() // 1_000_000)
        cookie = {"cookie": f"vigil={sign_in(first, 'vera', seed.PASSWORD).cookies['vigil']}"}
    with dashboard(tmp_path) as second:
        assert call(second, "GET", "/", HTML | cookie).status == 200
        store.set_password(second.store, seed.ADMIN, "vera", "another password", now_ms=1)
        assert call(second, "GET", "/", HTML | cookie).status == 303


def test_no_page_may_be_framed_or_sniffed(server: Server) -> None:
    headers = call(server, "GET", "/login", HTML).headers
    assert (headers["x-frame-options"], headers["x-content-type-options"]) == ("DENY", "nosniff")


def test_the_demo_lets_in_whoever_sits_at_the_machine(demo: Server) -> None:
    answer = call(demo, "GET", "/", HTML)
    assert (answer.status, answer.headers["location"]) == (303, "/")
    assert call(demo, "GET", "/", HTML | {"cookie": f"vigil={answer.cookies['vigil']}"}).status == 200


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"x-forwarded-for": "9.9.9.9"}])
def test_the_demo_lets_in_nobody_who_comes_by_another_name_or_a_proxy(
    demo: Server, headers: dict[str, str]
) -> None:
    answer = call(demo, "GET", "/", HTML | headers)
    assert answer.headers["location"].startswith("/login")
    assert "vigil" not in answer.cookies


@pytest.fixture(scope="module")
def behind_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("proxied")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("VIGIL_TRUSTED_PROXIES", "127.0.0.1")
        with dashboard(folder) as running:
            seed.accounts(running.store, time.time_ns() // 1_000_000)
            yield running


def test_behind_a_trusted_proxy_the_limit_counts_browsers_and_the_cookie_is_secure(
    behind_proxy: Server, server: Server
) -> None:
    def asked(where: Server, sender: str) -> Answer:
        forwarded = {"x-forwarded-for": sender, "x-forwarded-proto": "https"}
        form = call(where, "GET", "/login", HTML | forwarded)
        token = re.search(r'name="token" value="([^"]+)"', form.body)
        assert token
        body = urlencode({"name": "nobody", "password": "wrong password", "token": token[1]})
        cookie = {"cookie": f"vigil_form={form.cookies['vigil_form']}"}
        kind = {"content-type": "application/x-www-form-urlencoded"}
        answer = call(where, "POST", "/login", HTML | forwarded | cookie | kind, body)
        assert ("Secure" in form.raw_cookies["vigil_form"]) is (where is behind_proxy)
        return answer

    assert [asked(behind_proxy, "203.0.113.9").status for _ in range(6)] == [401] * 5 + [429]
    assert asked(behind_proxy, "203.0.113.10").status == 401, "somebody else"
    [*refused, _] = store.account_history(behind_proxy.store, Actor("ada", "admin"))[:7]
    assert {(one.action, one.account) for one in refused[:6]} == {("refused", "nobody")}
    assert {one.actor for one in refused[:6]} == {"203.0.113.9", "203.0.113.10"}
    asked(server, "203.0.113.9")
    last = store.account_history(server.store, Actor("ada", "admin"))[0]
    assert (last.action, last.actor) == ("refused", "127.0.0.1"), "a stranger's word is not believed"
