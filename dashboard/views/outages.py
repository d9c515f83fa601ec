"""The lines that say which part is down and since when, at the top of a page."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.context import Context, area_title
from dashboard.outage import Outage
from dashboard.words import text, times
from dashboard.words.escape import escaped

_WORDS = {
    "down": text.failures.PART_DOWN,
    "quiet": text.failures.PART_QUIET,
    "starting": text.failures.PART_STARTING,
}


def show_outages(found: Sequence[Outage], context: Context) -> None:
    """One box for the parts, the first in the chain first, and one for the readers."""
    parts = [one for one in found if one.kind in _WORDS]
    silent = [one for one in found if one.kind == "silent"]
    if any(one.kind == "nothing" for one in found):
        st.info(text.failures.NO_PART, icon=":material/power_off:")
    if parts:
        starting = all(one.kind == "starting" for one in parts)
        box = st.info if starting else st.error
        box("  \n".join(_part(one, context.zone) for one in parts), icon=":material/warning:")
    if silent:
        names = [escaped(_reader(one, context)) for one in silent]
        st.warning(text.failures.READERS_SILENT.format(", ".join(names)), icon=":material/sensors_off:")


def _reader(silent: Outage, context: Context) -> str:
    where = area_title(context, silent.detail)
    return text.failures.READER_SINCE.format(silent.name, where, times.clock(silent.since_ms, context.zone))


def _part(trouble: Outage, zone: ZoneInfo) -> str:
    name = text.terms.PARTS.get(trouble.name, escaped(trouble.name))
    words = _WORDS[trouble.kind].format(name, times.moment(trouble.since_ms, zone))
    return f"{words} {escaped(trouble.detail)}".strip()
