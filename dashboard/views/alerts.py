"""Alerts: search and filter all of them, act on many at once, take them along as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import detectors
from app import store
from app.store import Alert, Filter
from dashboard import links
from dashboard.context import Context, area_title, current_context
from dashboard.failures import shows_failures
from dashboard.sign_in import session
from dashboard.views.alert_actions import show_bulk_actions
from dashboard.words import severity, text, times

PAGE_ROWS = 50
REFRESH_S = 2.0
_BETWEEN = -1
Option = TypeVar("Option", int, str)


def show() -> None:
    context = current_context()
    st.title(text.alerts.TITLE, anchor=False)
    wanted = _filters(context)
    number = int(st.session_state.get("page", 1))
    page = store.search(
        context.store,
        wanted,
        limit=PAGE_ROWS,
        offset=(number - 1) * PAGE_ROWS,
        order=str(st.session_state["order"]),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        words = text.alerts.FOUND_ONE if page.total == 1 else text.alerts.FOUND.format(f"{page.total:,}")
        st.markdown(words, width="stretch")
        _exports(wanted, context)
    _news(store.last_change(context.store))
    if page.total == 0:
        st.info(text.alerts.NOTHING_FOUND, icon=":material/search_off:")
        return
    chosen = _table(page.alerts, context)
    st.pagination(max(1, -(-page.total // PAGE_ROWS)), key="page")
    _actions(chosen, context)


def _filters(context: Context) -> Filter:
    """The filters live in the address: a search can be kept as a bookmark and sent to a colleague."""
    known = store.choices(context.store)
    words = st.text_input(
        text.alerts.SEARCH,
        key="q",
        placeholder=text.alerts.SEARCH_HINT,
        icon=":material/search:",
        bind="query-params",
    )
    first, second, third, fourth, fifth, sixth, seventh, eighth = _columns()
    with first:
        states = _many(text.terms.STATE, "state", list(store.STATES), text.terms.STATES)
    with second:
        names = {name: severity.badge(name) for name in severity.SEVERITIES}
        severities = _many(text.alerts.SEVERITY, "severity", list(names), names)
    with third:
        called = {name: one.title for name, one in detectors.load().items()}
        chosen = _many(text.terms.DETECTOR, "detector", known["detector"], called)
    with fourth:
        titles = {area.name: area.title for area in context.scenario.plan.areas}
        areas = _many(text.terms.AREA, "area", known["area"], titles)
    with fifth:
        owners = _many(text.alerts.PERSON, "person", known["owner"], {})
    with sixth:
        since = _one(text.alerts.WHEN, "since", text.alerts.SINCES)
    with seventh:
        sure = _one(text.alerts.SURE, "sure", text.alerts.SURES)
    with eighth:
        _one(text.alerts.ORDER, "order", text.alerts.ORDERS)
    from_ms, until_ms = _days(context) if since == _BETWEEN else (_hours_ago(since, context), None)
    return Filter(
        states=states,
        severities=severities,
        detectors=chosen,
        areas=areas,
        owners=owners,
        text=words,
        from_ms=from_ms,
        until_ms=until_ms,
        least_sure=sure / 100 if sure else None,
    )


def _columns() -> list[DeltaGenerator]:
    """Two rows of four: more in one row leave no room for words on a tablet."""
    return [*st.columns(4), *st.columns(4)]


def _hours_ago(hours: int, context: Context) -> int | None:
    return context.now_ms() - hours * 3_600_000 if hours else None


def _days(context: Context) -> tuple[int | None, int | None]:
    """From the first chosen day to the end of the last, by the place's own calendar."""
    today = times.local(context.now_ms(), context.zone).date()
    chosen = st.date_input(
        text.alerts.DAYS_BETWEEN, (today, today), max_value=today, key="days", bind="query-params"
    )
    if not isinstance(chosen, tuple) or len(chosen) != 2:
        return None, None
    return times.midnight(chosen[0], context.zone), times.midnight(
        chosen[1] + timedelta(days=1), context.zone
    )


def _one(label: str, key: str, names: Mapping[Option, str]) -> Option:
    return st.selectbox(label, list(names), format_func=names.__getitem__, key=key, bind="query-params")


def _many(label: str, key: str, options: Sequence[str], names: dict[str, str]) -> tuple[str, ...]:
    chosen = st.multiselect(
        label,
        options,
        format_func=lambda option: names.get(option, option),
        key=key,
        placeholder=text.alerts.ANY,
        bind="query-params",
    )
    return tuple(chosen)


def _exports(wanted: Filter, context: Context) -> None:
    def found() -> Iterator[Alert]:
        return store.all_alerts(context.store, wanted)

    _download(text.alerts.AS_CSV, "alerts.csv", "text/csv", lambda: store.as_csv(found()))
    _download(
        text.alerts.AS_JSON, "alerts.jsonl", "application/x-ndjson", lambda: store.as_json_lines(found())
    )


def _download(label: str, file: str, mime: str, written: Callable[[], Iterator[str]]) -> None:
    """Written only when it is asked for: there may be many alerts."""
    st.download_button(
        label,
        lambda: "".join(written()),
        file_name=file,
        mime=mime,
        icon=":material/download:",
        on_click="ignore",
    )


@st.fragment(run_every=REFRESH_S)
@shows_failures
def _news(shown: int) -> None:
    """The list stands still while someone works with it; what has changed meanwhile is offered."""
    changed = store.last_change(current_context().store) - shown
    if changed > 0 and st.button(
        text.alerts.REFRESH.format(changed), icon=":material/refresh:", type="tertiary"
    ):
        st.rerun()


def _table(found: Sequence[Alert], context: Context) -> list[Alert]:
    event = st.dataframe(
        [_row(alert, context) for alert in found],
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        key="found",
        height=430,
        alt=text.alerts.ALERTS_TABLE,
        column_config={
            text.terms.AREA: st.column_config.TextColumn(width=140),
            text.alerts.EXPLANATION: st.column_config.TextColumn(width="large"),
        },
    )
    rows = event["selection"]["rows"]
    return [found[row] for row in rows if row < len(found)]


def _row(alert: Alert, context: Context) -> dict[str, Any]:
    return {
        text.terms.TIME: times.moment(alert.occurred_ms, context.zone),
        text.alerts.SEVERITY: severity.badge(alert.severity),
        text.alert.TITLE: alert.title,
        text.alerts.ABOUT: alert.subject,
        text.terms.AREA: area_title(context, alert.area),
        text.terms.STATE: text.terms.STATES[alert.state],
        text.alerts.PERSON: alert.owner or "",
        text.alerts.OUTCOME_SHORT: text.terms.OUTCOMES.get(alert.resolution or "", alert.resolution or ""),
        text.alerts.SURE: alert.doubt,
        text.alerts.EXPLANATION: alert.explanation,
    }


def _actions(chosen: Sequence[Alert], context: Context) -> None:
    if not chosen:
        st.caption(text.alerts.SELECT_ROWS)
        return
    st.subheader(text.alerts.CHOSEN.format(len(chosen)), anchor=False)
    links.link("alert", text.alerts.OPEN, ":material/open_in_new:", id=chosen[0].id)
    if session.may("staff"):
        show_bulk_actions(chosen, context)
