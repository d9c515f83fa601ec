"""The lines that say which part is down and since when, at the top of a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from zoneinfo import ZoneInfo

import streamlit as st

from app.demo import change_place
from dashboard.context import Context, area_title
from dashboard.facts.outage import Outage
from dashboard.words import text, times
from dashboard.words.escape import escaped

_WORDS = {
    "down": text.failures.PART_DOWN,
    "quiet": text.failures.PART_QUIET,
    "starting": text.failures.PART_STARTING,
}


def show_outages(found: Sequence[Outage], context: Context) -> None:
    """One box for the parts, the first in the chain first, and one for the readers."""
    show_going(context)
    parts = [one for one in found if one.kind in _WORDS]
    if any(one.kind == "nothing" for one in found):
        st.info(text.failures.NO_PART, icon=":material/power_off:")
    if parts:
        starting = all(one.kind == "starting" for one in parts)
        box = st.info if starting else st.error
        box("  \n".join(escaped(_part(one, context.zone)) for one in parts), icon=":material/warning:")
    for words in silent_readers(found, context):
        st.warning(escaped(words), icon=":material/sensors_off:")


def show_going(context: Context) -> None:
    """A demo that is about to go to another place says so before it goes; lost.js remembers where."""
    place = change_place.asked(context.data) if context.data else None
    title = change_place.choices().get(place, "") if place else ""
    if title:
        st.info(text.demo.GOING.format(escaped(title)), icon=":material/hourglass_empty:")
        st.html(f'<span data-going="{escape(title)}" hidden></span>')


def in_words(found: Sequence[Outage], context: Context) -> list[str]:
    """The same as plain lines, for the wall."""
    parts = [_part(one, context.zone) for one in found if one.kind in _WORDS]
    return [*parts, *silent_readers(found, context)]


def silent_readers(found: Sequence[Outage], context: Context) -> list[str]:
    """One line for all of them, or none."""
    silent = [one for one in found if one.kind == "silent"]
    if len(silent) > 1 and len(silent) == len(context.scenario.plan.readers):
        since = times.clock(max(one.since_ms for one in silent), context.zone)
        return [text.failures.ALL_READERS_SILENT.format(len(silent), since)]
    names = ", ".join(_reader(one, context) for one in silent)
    return [text.failures.READERS_SILENT.format(names)] if silent else []


def _reader(silent: Outage, context: Context) -> str:
    where = area_title(context, silent.detail)
    return text.failures.READER_SINCE.format(silent.name, where, times.clock(silent.since_ms, context.zone))


def _part(trouble: Outage, zone: ZoneInfo) -> str:
    name = text.terms.PARTS.get(trouble.name, trouble.name)
    words = _WORDS[trouble.kind].format(name, times.moment(trouble.since_ms, zone))
    return f"{words} {trouble.detail}".strip()
