"""Pages run by Streamlit's own test runner, and what is on them."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

SignIn = Callable[..., None]


def _page(name: str) -> None:
    import importlib

    from dashboard.failures import shows_failures

    shows_failures(importlib.import_module(f"dashboard.views.{name}").show)()


def opened(name: str, **query: str) -> AppTest:
    page = AppTest.from_function(_page, args=(name,), default_timeout=30)
    page.query_params.update(query)
    return page.run()


def words(page: AppTest) -> str:
    kinds = (page.title, page.markdown, page.caption, page.info, page.success, page.warning, page.error)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def markup(page: AppTest) -> str:
    """What it shows as HTML of its own."""
    return "\n".join(element.proto.body for element in page.get("html"))


def button(page: AppTest, label: str) -> object:
    return next(one for one in page.button if one.label == label)


def choice(page: AppTest, label: str) -> object:
    return next(one for one in page.selectbox if one.label == label)


def field(page: AppTest, label: str) -> object:
    return next(one for one in page.text_input if one.label == label)
