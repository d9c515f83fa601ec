"""What somebody does who shows a demo, one function for each, on a page of any width."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from app import store
from app.store import Alert, Filter
from dashboard.words import text
from tests.dashboard.browser.looking import tab_to
from tests.dashboard.demo.demos import Demo, await_that, now_ms

EXPECTED_MS = 120_000  # a busy machine takes its time
THEFT = text.demo.INCIDENTS["shoplift"][0]
AT = "() => Number(document.querySelector('.replay .at').value)"
DRAWN = """(uids) => uids.every((uid) =>
  document.querySelector('.graph')?.data?.some((trace) => trace.uid === uid && trace.x.length > 0))"""


def watch_a_theft(page: Page, _demo: Demo) -> None:
    """Its steps are told beside the map, and a stopwatch runs from the gate to the alert."""
    page.goto("/demo")
    page.get_by_role("button", name=THEFT, exact=True).click()
    story = page.locator(".story")
    expect(story.locator(".head")).to_have_text(re.compile(f"^{THEFT}, staged at "), timeout=EXPECTED_MS)
    expect(story.locator(".expect")).to_contain_text("within 25 seconds")
    page.wait_for_function(DRAWN, arg=["people-staged"], timeout=EXPECTED_MS)
    steps = story.locator("ol")
    expect(steps).to_contain_text(re.compile(r"takes .+ walks to .*exit.+ is at .*exit"), timeout=EXPECTED_MS)
    expect(story.locator(".conclusion")).to_contain_text(THEFT, timeout=EXPECTED_MS)
    expect(story.locator(".time")).to_have_text(re.compile(r"^\d+\.\d s$"))
    expect(story.locator(".label")).to_have_text(text.demo.STOPPED)
    expect(page.get_by_role("cell", name=re.compile(r"alert .+ later")).first).to_be_attached()
    story.get_by_role("link", name=text.demo.OPEN_ALERT).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(THEFT)


def take_the_tour(page: Page, _demo: Demo) -> None:
    """What is staged, what the radios hear, what Vigil concludes, and the replay by itself."""
    page.goto("/demo")
    page.get_by_role("button", name=text.demo.TOUR).click()
    guide = page.get_by_test_id("stAlert").filter(has_text=re.compile(r"\d · "))
    expect(guide).to_contain_text("What is staged", timeout=EXPECTED_MS)
    expect(guide).to_contain_text("What the radios hear", timeout=EXPECTED_MS)
    expect(guide).to_contain_text("What Vigil concludes", timeout=EXPECTED_MS)
    expect(page.locator(".replay .at")).to_be_enabled(timeout=EXPECTED_MS)
    started = page.evaluate(AT)
    page.wait_for_function(f"(started) => ({AT})() > started", arg=started)
    page.get_by_role("button", name=text.demo.TOUR_STOP).click()
    expect(page.get_by_role("button", name=text.demo.TOUR)).to_be_visible()


def unplug_a_till(page: Page, demo: Demo) -> None:
    """What rests on its silence is unproven from then on, and says so on Live."""
    page.goto("/demo")
    page.get_by_role("button", name=text.demo.PULL).click()
    expect(page.get_by_text(re.compile("^The simulator at .* unplug till-"))).to_be_visible()
    began = now_ms()
    page.get_by_role("button", name=THEFT, exact=True).click()
    await_that(lambda: bool(unproven(demo, began)))
    incident = unproven(demo, began)[0].incident
    to(page, text.live.TITLE)
    card = page.locator(f".feed li[data-id='{incident}']")
    expect(card.locator(".marks")).to_contain_text(re.compile("unproven", re.IGNORECASE))
    to(page, text.demo.TITLE)
    page.get_by_role("button", name=text.demo.PLUG).click()
    expect(page.get_by_text(re.compile("^The simulator at .* plug till-"))).to_be_visible()


def ask_what_it_would_have_meant(page: Page, demo: Demo) -> None:
    """A parameter is tried over the recording and nothing is changed."""
    choose_detector(page, "Misplaced item")
    slider = page.get_by_test_id("stForm").get_by_role("slider").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name=text.detectors.TRY).click()
    expect(page.get_by_text(re.compile(r"^“.+” at .+ since .+ instead of .+"))).to_be_visible(
        timeout=EXPECTED_MS
    )
    assert store.switch_history(demo.store, "store", "misplaced", limit=1)[0].revision == 0


def walk_through_detectors(page: Page, _demo: Demo) -> None:
    """The choice is part of the address, outlives a reload, and its plan can be read."""
    choose_detector(page, "Shelf sweep")
    page.wait_for_url("**/detectors?which=shelf_sweep")
    page.reload()
    expect(page.get_by_role("heading", level=2)).to_have_text("Shelf sweep")
    page.get_by_text(text.detectors.PLAN).click()
    drawn = page.locator(".st-key-plan-picture svg text")
    expect(drawn.first).to_be_visible()
    assert min(box(one)["height"] for one in drawn.all()) >= 12
    expect(page.get_by_role("cell", name=re.compile(r"^15 seconds, "))).to_be_visible()


def play_an_alert_again(page: Page, demo: Demo) -> None:
    await_that(lambda: bool(thefts(demo, 0)))
    page.goto(f"/alert?id={thefts(demo, 0)[0].id}")
    play = page.get_by_role("button", name=text.alert.PLAY)
    expect(play).to_be_enabled()
    before = page.evaluate(AT)
    play.click()
    page.wait_for_function(f"(before) => ({AT})() < before", arg=before)
    started = page.evaluate(AT)
    page.wait_for_function(f"(started) => ({AT})() > started", arg=started)


def read_the_report(page: Page, _demo: Demo) -> None:
    page.goto("/report")
    expect(page.get_by_test_id("stMetric").first).to_be_visible()
    expect(page.locator(".graph .main-svg").first).to_be_visible()
    expect(page.get_by_role("button", name=text.report.PRINT)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def walk_the_demo_without_a_mouse(page: Page, _demo: Demo) -> None:
    """From the first button to the last control, then an incident is staged with Enter."""
    page.goto("/demo")
    page.locator(".graph .main-svg").first.wait_for()
    tab_to(page, page.get_by_role("button", name=THEFT, exact=True))
    for name in (text.demo.TOUR, text.demo.TURN, text.demo.PULL, text.demo.PLUG):
        tab_to(page, page.get_by_role("button", name=name))
    tab_to(page, page.get_by_role("button", name=text.demo.OTHER_PLACE))
    tab_to(page, page.get_by_role("button", name=text.demo.INCIDENTS["misplace"][0], exact=True))
    page.keyboard.press("Enter")
    label = text.demo.INCIDENTS["misplace"][0]
    expect(page.locator(".story .head")).to_have_text(re.compile(f"^{label}, "), timeout=EXPECTED_MS)


def see_people_on_live(page: Page, _demo: Demo) -> None:
    """Marked as the simulator's own truth."""
    page.goto("/")
    page.wait_for_function(DRAWN, arg=["people"], timeout=EXPECTED_MS)
    expect(page.locator(".graph").get_by_text(text.pictures.PEOPLE)).to_be_visible()


Flow = Callable[[Page, Demo], None]
FLOWS: tuple[Flow, ...] = (
    watch_a_theft,
    take_the_tour,
    unplug_a_till,
    ask_what_it_would_have_meant,
    walk_through_detectors,
    play_an_alert_again,
    read_the_report,
    walk_the_demo_without_a_mouse,
    see_people_on_live,
)


def choose_detector(page: Page, title: str) -> None:
    page.goto("/detectors")
    page.get_by_role("radiogroup").get_by_text(title).click()
    expect(page.get_by_role("heading", level=2)).to_have_text(title)


def to(page: Page, title: str) -> None:
    """By the menu, which on a phone has to be opened first."""
    link = page.get_by_role("link", name=title, exact=True)
    if not link.is_visible():
        page.goto({text.live.TITLE: "/", text.demo.TITLE: "/demo"}[title])
        return
    link.click()


def box(node: Locator) -> dict[str, float]:
    found = node.bounding_box()
    assert found is not None
    return dict(found)


def thefts(demo: Demo, since_ms: int) -> list[Alert]:
    found = store.search(demo.store, Filter(detectors=("shoplifting",), from_ms=since_ms))
    return list(found.alerts)


def unproven(demo: Demo, since_ms: int) -> list[Alert]:
    return [alert for alert in thefts(demo, since_ms) if alert.unproven]
