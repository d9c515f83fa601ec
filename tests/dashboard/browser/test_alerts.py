"""The list of alerts, an alert and its replay in a real browser, with mouse, keyboard and on a phone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from app import store
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.browser.looking import drawn, now_ms, raise_alert, tab_to
from tests.dashboard.choosing import choose_outcome
from tests.dashboard.servers import Server

EVIL = "<img src=x onerror=alert(1)> [a](javascript:alert(1)) https://evil.example www.evil.example"
FOLLOWED = """() => [...document.querySelectorAll('.graph')].at(-1)?.data
  ?.filter((trace) => trace.uid === 'followed').map((trace) => trace.x.join()).join()"""


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
