"""The report of several sites: a line for each, and all of them together."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from html import escape

import streamlit as st

from app import store
from app.store import AlertReport
from dashboard import style
from dashboard.components import print_button
from dashboard.context import current_context
from dashboard.sign_in import session
from dashboard.views.sites.chosen import chosen_sites, titles
from dashboard.views.sites.rows import table, way
from dashboard.words import text, times

_HOUR_MS = 3_600_000


def show() -> None:
    style.apply_print()
    context, called = current_context(), titles()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        periods = text.report.PERIODS
        hours = st.selectbox(
            text.report.PERIOD,
            list(periods),
            format_func=periods.__getitem__,
            key="period",
            bind="query-params",
            width=280,
        )
        print_button.show(key="print")
    sites, until = chosen_sites(), context.now_ms()
    found = store.report_sites(context.store, session.account(), until - hours * _HOUR_MS, until, sites)
    ranked = sorted(found.items(), key=lambda pair: (-pair[1].lost, -pair[1].incidents, called[pair[0]]))
    rows = [(way(name, called[name]), *_cells([one])) for name, one in ranked]
    if len(rows) > 1:
        rows.append((f"<b>{escape(text.sites.TOGETHER)}</b>", *_cells(list(found.values()))))
    headings = text.sites.FIGURE_HEADINGS
    st.html(table(headings, rows, figures=len(headings) - 1))
    st.caption(text.sites.FIGURES_EXPLAINED)


def _cells(found: Sequence[AlertReport]) -> tuple[str, ...]:
    """Of one site or of several: sums, and medians over all of them. What has one id at two sites is two."""
    incidents = sum(one.incidents for one in found)
    lost, recovered, undecided = (
        sum(getattr(one, name) for one in found) for name in ("lost", "recovered", "undecided")
    )
    resolved, false = sum(one.resolved for one in found), sum(one.false for one in found)
    to_take = [length for one in found for length in one.to_take_ms]
    to_resolve = [length for one in found for length in one.to_resolve_ms]
    cells = (
        f"{incidents:,}",
        *(f"{value:,.2f}" for value in (lost, recovered, undecided)),
        *(_median(lengths) for lengths in (to_take, to_resolve)),
        text.report.FALSE_OF.format(false, resolved) if resolved else text.terms.UNKNOWN_FIGURE,
    )
    return tuple(escape(cell) for cell in cells)


def _median(lengths: Sequence[int]) -> str:
    return times.duration(statistics.median(lengths)) if lengths else text.terms.UNKNOWN_FIGURE
