"""The pages in a real browser, on a store with ten thousand alerts that changes while one looks at it."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from app import store
from app.store import IncidentTie
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.choosing import choose_outcome, switch_off
from tests.dashboard.servers import Server, dashboard

PATIENCE_MS = 30_000
EVIL = "<img src=x onerror=alert(1)> [a](javascript:alert(1)) https://evil.example www.evil.example"
RANGE = "() => document.querySelector('.graph')._fullLayout.xaxis.range.map((x) => x.toFixed(3)).join()"

ON_MAP = "(id) => document.querySelector('.graph').data.some((trace) => trace.customdata?.includes(id))"
SIZE = "() => document.querySelectorAll('.feed *, .graph *').length"
NAMELESS = """() => {
  const named = (node) => node.textContent || node.ariaLabel || node.title || node.ariaLabelledByElements;
  const nodes = [...document.querySelectorAll('main button, [role=img]')];
  return nodes.filter((node) => node.checkVisibility() && !named(node)).length;
}"""
FOLLOWED = """() => [...document.querySelectorAll('.graph')].at(-1)?.data
  ?.filter((trace) => trace.uid === 'followed').map((trace) => trace.x.join()).join()"""


PATHS = [
    *("/", "/wall", "/alerts", "/alert?id=" + "0" * 64, "/detectors", "/demo", "/report", "/health"),
    *("/account", "/whereabouts?what=JEAN-28-001", "/whereabouts?area=Denim"),
]
FAINT = (Path(__file__).parent / "contrast.js").read_text().partition("\n")[2]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, busy_file: Path) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("pages")
    shutil.copy(busy_file, data / "store.db")
    with dashboard(data, "--demo") as running:
        seed.parts(running.store, now_ms())
        seed.whereabouts(data / "checkpoint", now_ms())
        yield running


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=server.url)
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    opened = context.new_page()
    yield opened
    context.close()


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def raise_alert(server: Server, number: int, **changes: object) -> str:
    """A new alert, as the pipeline would store it; number above those of the busy store."""
    alert = seed.shoplifting(number, now_ms(), **changes)
    store.record_alerts(server.store, [alert], now_ms())
    return alert.id


def drawn(page: Page) -> None:
    page.wait_for_function("() => document.querySelector('.graph')?._fullLayout")


def tab_to(page: Page, wanted: Locator, outlined: bool = True) -> None:
    """With the Tab key alone; where the focus is can be seen (of a choice by the colour of its frame)."""
    wanted.wait_for()
    until = time.monotonic() + PATIENCE_MS / 1000
    while not wanted.evaluate("(node) => node === document.activeElement"):
        assert time.monotonic() < until, "cannot be reached with the keyboard"
        page.keyboard.press("Tab")
    if outlined:
        assert wanted.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"


def ticks(page: Page, server: Server, numbers: range) -> None:
    """Let the live page be drawn anew some times: each time for one more alert."""
    for number in numbers:
        page.wait_for_function(ON_MAP, arg=raise_alert(server, number))


def test_a_new_alert_comes_into_the_feed_and_onto_the_map_by_itself(page: Page, server: Server) -> None:
    page.goto("/")
    drawn(page)
    alert = raise_alert(server, 20_001, title="Brand-new alert")
    expect(page.locator(f".feed li[data-id='{alert}'] .notes")).to_have_text("Brand-new alert")
    page.wait_for_function(ON_MAP, arg=alert)
    expect(page.locator(".graph .pulse .point").first).to_be_attached()
    expect(page.locator("[data-testid='stToast']").first).to_contain_text("Brand-new alert")


def test_what_belongs_together_is_one_card_one_mark_and_one_take(page: Page, server: Server) -> None:
    seed.parts(server.store, now_ms())
    page.goto("/")
    drawn(page)
    ties = (IncidentTie("a thief at the main exit", 60_000),)
    first, second = (raise_alert(server, number, ties=ties) for number in (20_006, 20_007))
    card = page.locator(f".feed li[data-id='{first}']")
    expect(card.locator(".notes")).to_have_text("2 × Shoplifting")
    expect(page.locator(f".feed li[data-id='{second}']")).to_have_count(0)
    page.wait_for_function(ON_MAP, arg=first)
    card.locator(".take").click()
    expect(card.locator(".foot")).to_contain_text("Taken by demo")
    states = [found.state for id_ in (first, second) if (found := store.find_alert(server.store, id_))]
    assert states == ["taken", "taken"]


def test_zoom_scroll_and_the_map_itself_outlive_the_ticks(page: Page, server: Server) -> None:
    page.goto("/")
    drawn(page)
    page.locator(".feed ol").evaluate("(list) => { list.scrollTop = 400; }")
    page.evaluate("() => { document.querySelector('.graph').marked = true; }")
    before = page.evaluate(RANGE)
    page.locator(".graph").hover()
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"(before) => ({RANGE})() !== before", arg=before)
    zoomed = page.evaluate(RANGE)
    ticks(page, server, range(21_000, 21_003))
    assert page.evaluate(RANGE) == zoomed
    assert page.evaluate("() => document.querySelector('.graph').marked") is True
    assert page.locator(".feed ol").evaluate("(list) => list.scrollTop") > 300


def test_the_map_outlives_an_outage_that_comes_and_goes(page: Page, server: Server) -> None:
    seed.parts(server.store, now_ms())
    page.goto("/")
    drawn(page)
    page.evaluate("() => { document.querySelector('.graph').marked = true; }")
    seed.parts(server.store, now_ms(), down=["ingest"])
    expect(page.get_by_text(re.compile(" has been down since "))).to_be_visible()
    assert page.evaluate("() => document.querySelector('.graph').marked") is True
    seed.parts(server.store, now_ms())
    expect(page.get_by_text(re.compile(" has been down since "))).to_be_hidden()
    assert page.evaluate("() => document.querySelector('.graph').marked") is True


def test_the_page_does_not_grow_while_it_ticks(page: Page, server: Server) -> None:
    page.goto("/")
    drawn(page)
    before = page.evaluate(SIZE)
    ticks(page, server, range(22_000, 22_008))
    assert page.evaluate(SIZE) <= before + 40


def test_an_alert_is_opened_taken_resolved_and_found_again(page: Page, server: Server) -> None:
    alert = raise_alert(server, 20_002, subject="FIND-ME-7")
    page.goto("/")
    page.locator(f".feed li[data-id='{alert}'] .open").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("FIND-ME-7")
    expect(page.get_by_role("button", name=text.actions.TAKE)).to_be_visible()
    page.keyboard.press("t")
    expect(page.get_by_text("Taken by demo")).to_be_visible()
    page.get_by_role("button", name=text.actions.RESOLVE).first.click()
    choose_outcome(page, "theft")
    page.get_by_test_id("stPopoverBody").get_by_role("button", name=text.actions.RESOLVE).click()
    expect(page.get_by_text(text.alert.RESOLVED_AS.format(text.terms.OUTCOMES["theft"]))).to_be_visible()
    page.get_by_role("link", name=text.alerts.TITLE).click()
    page.get_by_role("textbox", name=text.alerts.SEARCH).fill("find-me-7")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^1 alert found"))).to_be_visible()
    found = store.find_alert(server.store, alert)
    assert found is not None
    assert (found.state, found.owner) == ("resolved", "demo")


def test_an_alert_is_found_taken_and_resolved_without_a_mouse(page: Page, server: Server) -> None:
    alert = raise_alert(server, 20_005, subject="NO-MOUSE-1")
    page.goto("/")
    tab_to(page, page.locator(f".feed li[data-id='{alert}'] .open"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("NO-MOUSE-1")
    tab_to(page, page.get_by_role("button", name=text.actions.TAKE))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Taken by demo")).to_be_visible()
    tab_to(page, page.get_by_role("button", name=text.actions.RESOLVE).first)
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_test_id("stPopoverBody").get_by_role("combobox"), outlined=False)
    page.keyboard.type(text.terms.OUTCOMES["theft"])
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_test_id("stPopoverBody").get_by_role("button", name=text.actions.RESOLVE))
    page.keyboard.press("Enter")
    expect(page.get_by_text(text.alert.RESOLVED_AS.format(text.terms.OUTCOMES["theft"]))).to_be_visible()


def test_half_typed_text_is_not_lost_while_a_colleague_works(page: Page, server: Server) -> None:
    alert = raise_alert(server, 20_003)
    page.goto(f"/alert?id={alert}")
    page.get_by_role("button", name=text.actions.NOTE, exact=False).first.click()
    page.get_by_label(text.actions.NOTE_TEXT).type("half a thou")
    store.take(server.store, seed.STAFF, [alert], now_ms=now_ms())
    expect(page.get_by_text("Taken by stan")).to_be_visible()
    expect(page.get_by_label(text.actions.NOTE_TEXT)).to_have_value("half a thou")


def test_words_of_tags_and_notes_never_become_markup(page: Page, server: Server) -> None:
    alert = raise_alert(server, 20_004, title=EVIL, subject=EVIL, explanation=EVIL, advice=EVIL)
    store.note(server.store, seed.STAFF, [alert], EVIL, now_ms=now_ms())
    page.goto("/")
    expect(page.locator(f".feed li[data-id='{alert}'] .title")).to_contain_text(EVIL)
    expect(page.locator(f".feed li[data-id='{alert}'] .notes")).to_have_text(EVIL)
    page.goto(f"/alert?id={alert}")
    expect(page.get_by_text("onerror=alert(1)").first).to_be_visible()
    drawn(page)
    assert page.locator("img[src='x']").count() == 0
    assert page.locator("a[href*='evil'], a[href^='javascript']").count() == 0


@pytest.mark.parametrize("path", PATHS)
def test_every_page_has_one_heading_named_controls_and_asks_no_other_host(
    path: str, page: Page, server: Server
) -> None:
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    assert page.evaluate(NAMELESS) == 0
    assert hosts == {f"127.0.0.1:{server.port}"}


def faint(page: Page) -> list[str]:
    """What is too faint and stays so: a change of theme fades one colour into another."""
    with suppress(TimeoutError):
        page.wait_for_function(f"() => ({FAINT})().length === 0", timeout=5_000)
    found: list[str] = page.evaluate(FAINT)
    return found


@pytest.mark.parametrize("path", PATHS)
def test_all_text_stands_out_in_light_and_dark(path: str, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")  # a row that has just come glows for a moment
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    light = faint(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => matchMedia('(prefers-color-scheme: dark)').matches")
    expect(page.locator(".stApp")).to_have_css("color-scheme", "dark")
    assert (light, faint(page)) == ([], [])


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_serious(path: str, page: Page) -> None:
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    found = Axe().run(page).response["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    told = {one["id"]: [node["html"][:200] for node in one["nodes"]] for one in serious}
    assert told == {}


def test_wall_mode_has_no_controls_but_the_way_back(page: Page) -> None:
    page.goto("/wall")
    drawn(page)
    expect(page.locator(".feed .take").first).to_be_hidden()
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    page.get_by_role("link", name=text.live.LEAVE_WALL).click()
    expect(page.get_by_role("link", name=text.live.WALL_MODE)).to_be_visible()


def test_replay_moves_the_item_on_the_map(page: Page) -> None:
    page.goto("/alert?id=" + "0" * 64)
    page.wait_for_function(FOLLOWED)
    before = page.evaluate(FOLLOWED)
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    page.wait_for_function(f"(before) => ({FOLLOWED})() !== before", arg=before)


def test_the_replay_plays_by_itself_and_jumps_to_what_happened(page: Page) -> None:
    page.goto("/alert?id=" + "0" * 64)
    page.wait_for_function(FOLLOWED)
    at = "() => Number(document.querySelector('.replay .at').value)"
    before = page.evaluate(at)
    page.get_by_role("button", name=text.alert.PLAY).click()
    page.wait_for_function(f"(before) => ({at})() < before", arg=before)  # from the beginning of the story
    started = page.evaluate(at)
    page.wait_for_function(f"(started) => ({at})() > started", arg=started)
    page.get_by_role("button", name=text.alert.PAUSE).click()
    page.locator(".replay .ticks button").last.click()
    assert page.evaluate(at) == before


def test_the_list_opens_on_a_click_keeps_its_filter_and_is_walked_with_keys(page: Page) -> None:
    page.goto("/alerts?q=jean-28-01")
    rows = page.locator(".alert-list tbody tr")
    ids = [rows.nth(at).get_attribute("data-id") for at in range(2)]
    rows.first.locator("td").nth(2).click()
    page.wait_for_url(f"**/alert?id={ids[0]}")
    expect(page.locator(".steps .next")).to_be_visible()
    page.locator("h1").click()
    page.keyboard.press("j")
    page.wait_for_url(f"**/alert?id={ids[1]}")
    page.locator(".steps .back").click()
    page.wait_for_url("**/alerts?q=jean-28-01")
    expect(rows.first).to_have_attribute("data-id", str(ids[0]))
    page.keyboard.press("j")
    expect(rows.first.locator("a")).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_role("textbox", name=text.alerts.SEARCH)).to_be_focused()


def test_the_list_follows_what_happens_and_what_is_ticked_stays(page: Page, server: Server) -> None:
    page.goto("/alerts")
    rows = page.locator(".alert-list tbody tr")
    rows.first.locator("input").check()
    expect(page.get_by_text(text.alerts.CHOSEN.format(1))).to_be_visible()
    ticked = rows.first.get_attribute("data-id")
    alert = raise_alert(server, 20_008)
    expect(rows.first).to_have_attribute("data-id", alert)
    expect(page.locator(f".alert-list tr[data-id='{ticked}'] input")).to_be_checked()
    expect(page.locator(".st-key-actions").get_by_role("button", name=text.actions.RESOLVE)).to_be_visible()


def test_on_a_phone_take_and_resolve_are_in_sight_without_scrolling(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    alert = raise_alert(server, 20_009, severity="critical")
    page.goto("/")
    card = page.locator(f".feed li[data-id='{alert}']")
    expect(card).to_be_attached()
    assert page.locator(".feed").bounding_box()["y"] < page.locator(".graph").bounding_box()["y"]  # type: ignore[index]
    card.locator(".open").click()
    expect(page.get_by_role("button", name=text.actions.RESOLVE).first).to_be_in_viewport()
    page.locator(".replay").scroll_into_view_if_needed()
    expect(page.get_by_role("button", name=text.actions.RESOLVE).first).to_be_in_viewport()


def test_a_detector_switched_off_keeps_its_place_and_is_told_on_live(page: Page, server: Server) -> None:
    seed.parts(server.store, now_ms())
    switch_off(page, "Shoplifting", "stocktaking")
    page.get_by_role("link", name=text.live.TITLE).click()
    expect(page.get_by_text("switched off by demo: stocktaking")).to_be_visible()
    store.switch(server.store, seed.ADMIN, "store", "shoplifting", now_ms=now_ms(), enabled=True)
    expect(page.get_by_text("switched off by demo: stocktaking")).to_be_hidden()


def test_no_page_breaks_the_content_security_policy(page: Page) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    for path in PATHS:
        answer = page.goto(path)
        assert answer is not None
        assert "script-src 'self' blob: 'sha256-" in answer.headers["content-security-policy"]
        page.get_by_role("navigation").or_(page.locator(".feed")).first.wait_for()
        page.wait_for_timeout(1_000)  # what Streamlit loads by and by
    assert said == []


def test_an_unknown_address_gets_a_page_of_our_own(page: Page) -> None:
    answer = page.goto("/allerts")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text(text.failures.UNKNOWN_ADDRESS)
    page.get_by_role("link", name=text.failures.TO_LIVE).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clothing store")


def test_every_page_says_whose_it_is_and_who_is_signed_in(page: Page) -> None:
    page.goto("/health")
    expect(page.get_by_test_id("stHeaderLogo")).to_be_visible()
    expect(page.get_by_role("link", name=text.account.TITLE_OF.format("demo"))).to_be_visible()


def test_a_thing_is_looked_for_and_an_area_is_chosen_on_the_map(page: Page) -> None:
    page.goto("/whereabouts")
    drawn(page)
    page.get_by_role("textbox", name=text.whereabouts.SEARCH).fill("jean-28-001")
    page.keyboard.press("Enter")
    expect(page.get_by_role("cell", name="70%")).to_be_visible()
    page.wait_for_function(
        "() => document.querySelector('.graph').data[0].text.some((one) => one.includes('70%'))"
    )
    box = page.evaluate(
        """() => { const graph = document.querySelector('.graph'), { xaxis, yaxis } = graph._fullLayout;
        const place = graph.getBoundingClientRect();
        return [place.left + xaxis._offset + xaxis.d2p(26), place.top + yaxis._offset + yaxis.d2p(11)]; }"""
    )
    page.mouse.click(*box)
    expect(page.get_by_role("heading", level=3, name="Kids")).to_be_visible()
    expect(page.get_by_role("textbox", name=text.whereabouts.SEARCH)).to_have_value("")
    page.wait_for_url("**/whereabouts?area=Kids")


def test_an_area_is_chosen_without_a_mouse(page: Page) -> None:
    page.goto("/whereabouts")
    drawn(page)
    tab_to(page, page.get_by_role("combobox", name=text.whereabouts.AREA), outlined=False)
    page.keyboard.type("Denim")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=3, name="Denim")).to_be_visible()


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_whereabouts_fit_the_screen(width: int, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/whereabouts?what=JEAN-28-001")
    drawn(page)
    expect(page.get_by_role("cell", name="70%")).to_be_visible()
    assert page.evaluate("() => document.querySelector('.stMain').scrollWidth") <= width
