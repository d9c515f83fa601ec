"""What came late and why, at the top of Health: late readings, readings held back, a clock that was set."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from app import store
from app.running.status import GONE_MS
from app.store import HeldReadings
from dashboard.context import Context
from dashboard.words import text, times
from dashboard.words.escape import escaped

LATE_SHARE = 0.01
BEHIND_MS = 10_000
RIGHT_MS = 250
HELD_SHOWN_MS = 86_400_000


def event_now_ms(context: Context, now_ms: int) -> int:
    """What time it is for the readers: another one where they are played, or the machine's clock was set."""
    said = store.latest(context.store).get("clock_behind_ms")
    return now_ms if said is None else now_ms - int(said.value)


def show_late_readings(context: Context, now_ms: int) -> None:
    for line in _warnings(context, now_ms):
        st.warning(line, icon=":material/schedule:")
    held = store.list_held(context.store, event_now_ms(context, now_ms) - HELD_SHOWN_MS)
    if held:
        st.info("  \n".join(_held(one, context) for one in held), icon=":material/inventory_2:")


def _warnings(context: Context, now_ms: int) -> Iterator[str]:
    """Of what the pipeline says now."""
    latest = store.latest(context.store)
    said = {name: point.value for name, point in latest.items() if now_ms - point.at_ms < GONE_MS}
    if said.get("late_share", 0.0) > LATE_SHARE:
        yield text.health.MANY_LATE.format(said["late_share"])
    behind = said.get("clock_behind_ms", 0.0)
    if abs(behind) > BEHIND_MS and "clock_speed" not in said:
        words = text.health.CLOCK_BEHIND if behind > 0 else text.health.CLOCK_AHEAD
        yield words.format(times.duration(abs(behind)))


def _held(held: HeldReadings, context: Context) -> str:
    when = times.moment(held.until_ms, context.zone)
    length = times.duration(held.from_ms - held.oldest_ms)
    return text.health.HELD.format(escaped(held.reader), held.readings, when, length)


def clock_words(offset_ms: int | None, jumps: int) -> str:
    """How far a reader's clock is off, for a table."""
    if offset_ms is None:
        return text.health.CLOCK_UNKNOWN
    if abs(offset_ms) < RIGHT_MS:
        return text.health.CLOCK_RIGHT
    words = text.health.READER_AHEAD if offset_ms > 0 else text.health.READER_BEHIND
    was_set = text.health.CLOCK_SET.format(jumps) if jumps else ""
    return words.format(times.duration(abs(offset_ms))) + was_set
