"""The library in a browser: two leave with a book, and somebody at the desk says who has borrowed it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from app import store
from app.store import Alert, Filter
from dashboard.facts.loans import possible_loans
from dashboard.words import text
from tests.dashboard.demo.demos import Demo, await_that, demo_of, now_ms, page_of


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with demo_of("library", tmp_path_factory.mktemp("library")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, demo: Demo) -> Iterator[Page]:
    with page_of(browser, demo) as opened:
        yield opened


@pytest.mark.timeout(1800)
def test_a_staged_confusion_asks_who_it_was_and_the_answer_books_the_loan(page: Page, demo: Demo) -> None:
    page.goto("/demo")
    began = now_ms()
    page.get_by_role("button", name="Confusion").click()
    await_that(lambda: bool(_confusions(demo, began)))
    alert = _confusions(demo, began)[0]
    first, second = possible_loans(alert)
    page.goto(f"/alert?id={alert.id}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(alert.subject)
    expect(page.get_by_text(re.compile(f"{first.name}.*{second.name}")).first).to_be_visible()
    page.get_by_role("button", name=text.actions.IT_WAS.format(second.name)).click()
    expect(page.get_by_text(text.alert.RESOLVED_AS.format(text.terms.OUTCOMES["borrowed"]))).to_be_visible()
    await_that(lambda: not store.unsent(demo.store))


def _confusions(demo: Demo, since_ms: int) -> list[Alert]:
    return list(store.search(demo.store, Filter(detectors=("confusion",), from_ms=since_ms)).alerts)
