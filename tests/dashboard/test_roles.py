"""A staff account in a real browser: no way to an admin's action, by menu, by address or by calling it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash
from websockets.sync.client import connect

from app import store
from app.store import RefusedError
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.servers import Server, dashboard

PATIENCE_MS = 30_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with dashboard(tmp_path_factory.mktemp("roles")) as running:
        now = time.time_ns() // 1_000_000
        seed.accounts(running.store, now)
        seed.switches(running.store, now)
        yield running


@pytest.fixture(scope="module")
def staff(browser: Browser, server: Server) -> Iterator[Page]:
    """Signed in by the form, as a person does."""
    context = browser.new_context(base_url=server.url)
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    page = context.new_page()
    page.goto("/")
    page.get_by_label(text.sign_in.ACCOUNT_NAME).fill(seed.STAFF.name)
    page.get_by_label(text.sign_in.PASSWORD).fill(seed.PASSWORD)
    page.get_by_role("button", name=text.sign_in.SIGN_IN).click()
    expect(page.get_by_role("link", name=text.alerts.TITLE, exact=True)).to_be_visible()
    yield page
    context.close()


def test_staff_find_no_way_to_detectors_in_the_menu_or_by_address(staff: Page) -> None:
    expect(staff.get_by_role("link", name=text.detectors.TITLE)).to_have_count(0)
    staff.goto("/detectors")
    expect(staff.get_by_text(text.failures.NOT_HERE)).to_be_visible()
    expect(staff.get_by_text(text.detectors.SWITCH_OFF)).to_have_count(0)


def test_staff_see_their_own_account_and_nobody_elses(staff: Page) -> None:
    staff.goto("/account")
    expect(staff.get_by_role("button", name=text.account.CHANGE_PASSWORD)).to_be_visible()
    expect(staff.get_by_role("button", name=text.account.ADD_ACCOUNT)).to_have_count(0)


def test_the_page_of_detectors_is_not_run_for_staff_who_ask_the_server_itself(
    staff: Page, server: Server
) -> None:
    cookie = next(one["value"] for one in staff.context.cookies() if one["name"] == "vigil")
    with connect(
        f"ws://127.0.0.1:{server.port}/_stcore/stream",
        subprotocols=["streamlit"],
        additional_headers={"cookie": f"vigil={cookie}"},
        max_size=None,
    ) as socket:
        asked = BackMsg()
        asked.rerun_script.page_script_hash = calc_hash("detectors")
        asked.rerun_script.page_name = "detectors"
        socket.send(asked.SerializeToString())
        said = list(_until_finished(socket.recv))
    assert not any(text.detectors.SWITCH_OFF.encode() in message for message in said)
    assert any(text.failures.NOT_HERE.encode() in message for message in said)


ADMINS_ONLY: dict[str, Callable[[sa.Engine], object]] = {
    "switch": lambda engine: store.switch(engine, seed.STAFF, "store", "misplaced", now_ms=1, enabled=False),
    "undo": lambda engine: store.undo(engine, seed.STAFF, "store", "misplaced", 1, now_ms=1),
    "add": lambda engine: store.add_account(engine, seed.STAFF, "eve", "admin", seed.PASSWORD, now_ms=1),
    "role": lambda engine: store.set_role(engine, seed.STAFF, "stan", "admin", now_ms=1),
    "close": lambda engine: store.set_active(engine, seed.STAFF, "ada", False, now_ms=1),
    "password": lambda engine: store.set_password(engine, seed.STAFF, "ada", "another one!", now_ms=1),
    "history": lambda engine: store.account_history(engine, seed.STAFF, limit=5),
}


@pytest.mark.parametrize("action", ADMINS_ONLY)
def test_the_store_refuses_staff_an_admins_action(action: str, server: Server) -> None:
    before = store.list_accounts(server.store), store.switches(server.store, "store")
    with pytest.raises(RefusedError, match=r"needs the role (admin|manager)"):
        ADMINS_ONLY[action](server.store)
    assert (store.list_accounts(server.store), store.switches(server.store, "store")) == before


def _until_finished(receive: Callable[..., str | bytes]) -> Iterator[bytes]:
    while True:
        raw = receive(timeout=PATIENCE_MS / 1000)
        yield bytes(raw)  # type: ignore[arg-type]
        if ForwardMsg.FromString(bytes(raw)).HasField("script_finished"):  # type: ignore[arg-type]
            return
