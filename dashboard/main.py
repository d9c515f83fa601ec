"""The script that Streamlit runs for every browser: who is signed in, and which pages there are for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from dashboard import links, style
from dashboard.context import Context, current_context
from dashboard.entries import ENTRIES, PageEntry
from dashboard.failures import shows_failures
from dashboard.sign_in import session
from dashboard.views import account
from dashboard.words import text

# A Material icon would be fetched from its maker's site for the tab.
ICON = Path(__file__).parent / "components" / "icon.svg"
LOGO = Path(__file__).parent / "components" / "logo.svg"


@shows_failures
def main() -> None:
    shown = [entry for entry in ENTRIES if session.may(entry.role) and _is_there(entry)]
    pages = {entry.address: _page(entry) for entry in shown}
    links.remember(pages)
    st.logo(str(LOGO), size="large")
    closed = [_closed(entry) for entry in ENTRIES if entry.address not in pages]
    st.navigation([*pages.values(), *closed], position="top").run()


def _is_there(entry: PageEntry) -> bool:
    context = current_context()
    if entry.home_only and context.scenario.household is None:
        return False
    if entry.of_several and not _has_several(context):
        return False
    return context.demo or not entry.demo_only


def _has_several(context: Context) -> bool:
    account = session.account()
    return context.has_other_sites and (account.role == "admin" or len(account.sites) > 1)


def _title(entry: PageEntry) -> str:
    """Whoever looks at a page sees who is signed in."""
    mine = entry.show is account.show
    return text.account.TITLE_OF.format(session.account().name) if mine else entry.title


def _page(entry: PageEntry) -> Any:
    return st.Page(
        shows_failures(entry.show),
        title=_title(entry),
        icon=entry.icon,
        url_path=entry.address,
        default=entry is ENTRIES[0],
        visibility="visible" if entry.in_menu else "hidden",
    )


def _closed(entry: PageEntry) -> Any:
    """A page that this place or this role does not have says so; Streamlit would show another one instead."""
    return st.Page(_not_here, title=entry.title, url_path=entry.address, visibility="hidden")


@shows_failures
def _not_here() -> None:
    st.title(text.failures.UNKNOWN_ADDRESS, anchor=False)
    st.info(text.failures.NOT_HERE, icon=":material/lock:")
    links.link(ENTRIES[0].address, text.failures.TO_LIVE, ENTRIES[0].icon)


st.set_page_config(page_title=text.terms.PRODUCT, page_icon=str(ICON), layout="wide")
style.apply()
main()
