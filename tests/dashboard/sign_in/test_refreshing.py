"""Parts of pages that refresh by themselves ask each time who is signed in."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

from streamlit.testing.v1 import AppTest

from app import store
from dashboard.context import Context
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, opened, words

DASHBOARD = Path(__file__).parents[3] / "dashboard"


def _part() -> None:
    import streamlit as st

    from dashboard.failures import shows_failures

    shows_failures(lambda: st.write("what only staff may see"))()


def decorations(path: Path) -> list[list[str]]:
    found = ast.walk(ast.parse(path.read_text()))
    functions = [node for node in found if isinstance(node, ast.FunctionDef)]
    return [[ast.unparse(one) for one in node.decorator_list] for node in functions if node.decorator_list]


def test_what_refreshes_is_no_longer_shown_once_the_account_is_closed(busy: Context, sign_in: SignIn) -> None:
    context = replace(busy, demo=False)
    sign_in(context, store.find_account(busy.store, seed.STAFF.name))
    part = AppTest.from_function(_part).run()
    assert "what only staff may see" in words(part)
    store.set_active(busy.store, seed.ADMIN, seed.STAFF.name, False, now_ms=seed.NOW)
    again = part.run()
    assert "what only staff may see" not in words(again)
    assert text.sign_in.SIGN_IN_AGAIN in words(again)


def test_every_part_that_refreshes_asks() -> None:
    refreshing = [
        (path.name, names)
        for path in DASHBOARD.rglob("*.py")
        for names in decorations(path)
        if any(name.startswith("st.fragment(run_every") for name in names)
    ]
    assert refreshing != []
    assert [(file, names) for file, names in refreshing if "shows_failures" not in names] == []


def test_dead_letters_are_for_admins_only(busy: Context, sign_in: SignIn) -> None:
    context = replace(busy, demo=False)
    sign_in(context, store.find_account(busy.store, seed.VIEWER.name))
    shown = [one.value.to_string() for one in opened("health").dataframe]
    assert [table for table in shown if "rssi: a number expected" in table] == []
    sign_in(context, store.find_account(busy.store, seed.ADMIN.name))
    assert "rssi: a number expected" in opened("health").dataframe[-1].value.to_string()
