"""What limits the watching though everything runs: detectors that are off, readings that come too late."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import detectors
from app.store import SwitchedOff
from dashboard.context import Context
from dashboard.views.late_readings import LATE_SHARE
from dashboard.words import text, times
from dashboard.words.escape import escaped


def show_switched_off(off: Sequence[SwitchedOff], context: Context) -> None:
    if off:
        lines = [escaped(switched_off(one, context)) for one in off]
        st.warning("  \n".join(lines), icon=":material/toggle_off:")


def show_late_share(share: float) -> None:
    for words in late(share):
        st.warning(words, icon=":material/schedule:")


def late(share: float) -> list[str]:
    """What is to be said about late readings, if anything is."""
    return [text.failures.LATE_NOW.format(share)] if share > LATE_SHARE else []


def switched_off(off: SwitchedOff, context: Context) -> str:
    """Who, since when, why and until when."""
    known = detectors.load().get(off.detector)
    back = text.failures.STAYS_OFF
    if off.until_ms is not None:
        back = text.failures.BACK_ON.format(_when(off.until_ms, context))
    return text.failures.SWITCHED_OFF.format(
        title=known.title if known else off.detector,
        since=_when(off.since_ms, context),
        actor=off.actor,
        reason=text.failures.OFF_BECAUSE.format(off.reason) if off.reason else "",
        back=back,
    )


def _when(at_ms: int, context: Context) -> str:
    """The hour, and the day unless it is today."""
    today = times.local(context.now_ms(), context.zone).date()
    same = times.local(at_ms, context.zone).date() == today
    return times.short_clock(at_ms, context.zone) if same else times.moment(at_ms, context.zone)[:-3]
