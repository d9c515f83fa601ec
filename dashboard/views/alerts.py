"""Alerts: search and filter all of them, act on many at once, take them along as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import detectors
from app import store
from app.store import Alert, Filter, Page
from dashboard.components import alert_list
from dashboard.components.alert_list import ListRow
from dashboard.context import Context, area_title, current_context, subject_name
from dashboard.failures import shows_failures
from dashboard.sign_in import session
from dashboard.views.alert.actions import show_bulk_actions
from dashboard.words import incidents, severity, text, times

PAGE_ROWS = 50
REFRESH_S = 2.0
_BETWEEN = -1
_FILTERS = {"state", "severity", "detector", "area", "person", "since", "sure", "order"}
Option = TypeVar("Option", int, str)


def show() -> None:
    context = current_context()
    st.title(text.alerts.TITLE, anchor=False)
    wanted = _filters(context)
    _found(wanted, str(st.session_state["order"]))


@st.fragment(run_every=REFRESH_S)
@shows_failures
def _found(wanted: Filter, order: str) -> None:
    """The list follows what happens; what is chosen, typed and in focus stays."""
    context = current_context()
    page = _page(wanted, order, context)
    with st.container(horizontal=True, vertical_alignment="center"):
        words = text.alerts.FOUND_ONE if page.total == 1 else text.alerts.FOUND.format(f"{page.total:,}")
        st.markdown(words, width="stretch")
        _exports(wanted, context)
    if page.total == 0:
        st.info(text.alerts.NOTHING_FOUND, icon=":material/search_off:")
        return
    bar = st.container(key="actions")
    chosen = _list(page.alerts, context)
    st.pagination(max(1, -(-page.total // PAGE_ROWS)), key="page")
    with bar:
        _actions(chosen, context)


def _page(wanted: Filter, order: str, context: Context) -> Page:
    """Asked anew only when an alert has changed, or something else is wanted."""
    number = int(st.session_state.get("page", 1))
    asked = (wanted, order, number, store.last_change(context.store))
    known = st.session_state.get("searched")
    if known is None or known[0] != asked:
        offset = (number - 1) * PAGE_ROWS
        found = store.search(context.store, wanted, limit=PAGE_ROWS, offset=offset, order=order)
        known = st.session_state["searched"] = (asked, found)
    page: Page = known[1]
    return page


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
    with st.expander(text.alerts.FILTERS, icon=":material/filter_list:", expanded=bool(_set_filters())):
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


def _set_filters() -> set[str]:
    """Those that the address names: what is set stays in sight."""
    return {"state", "severity", "detector", "area", "person", "since", "sure", "order"} & set(
        st.query_params
    )


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


def _list(found: Sequence[Alert], context: Context) -> list[Alert]:
    rows = [_row(alert, context) for alert in found]
    chosen = set(alert_list.show(text.alerts.HEADINGS, rows, key="found"))
    return [alert for alert in found if alert.id in chosen]


def _row(alert: Alert, context: Context) -> ListRow:
    about = incidents.about(alert, partial(subject_name, context))
    look = severity.look(alert.severity)
    outcome = text.terms.OUTCOMES.get(alert.resolution or "", alert.resolution or "")
    state = text.terms.TAKEN_BY.format(alert.owner) if alert.owner else text.terms.STATES[alert.state]
    doubts = [*([text.incidents.UNPROVEN] if alert.unproven else []), *([alert.doubt] if alert.doubt else [])]
    return ListRow(
        id=alert.id,
        colour=look.colour,
        name=f"{alert.title}, {about}",
        cells=(
            f"{alert.title}: {about}",
            area_title(context, alert.area),
            times.moment(alert.occurred_ms, context.zone),
            severity.badge(alert.severity),
            text.alert.BESIDE.join([outcome or state, *([state] if outcome and alert.owner else [])]),
            text.alert.BESIDE.join(doubts),
        ),
    )


def _actions(chosen: Sequence[Alert], context: Context) -> None:
    if not chosen:
        st.caption(text.alerts.SELECT_ROWS)
        return
    if session.may("staff"):
        st.markdown(f"**{text.alerts.CHOSEN.format(len(chosen))}**")
        show_bulk_actions(chosen, context)
