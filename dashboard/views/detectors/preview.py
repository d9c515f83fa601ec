"""What a parameter would have meant: how many alerts the last day would have brought with other values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from app.detection.what_if import Question
from app.store import Switch
from dashboard.context import Context, current_context
from dashboard.facts.what_if import AskedPreview
from dashboard.failures import shows_failures
from dashboard.words import text, times
from dashboard.words.escape import escaped
from detectors.detector import Detector

TICK_S = 1.0
_DAY_MS = 86_400_000


def ask(detector: Detector, switch: Switch, values: Mapping[str, Any], context: Context) -> None:
    """Of this browser: another question takes the place of one that is not answered yet."""
    forget()
    if context.log is None:
        return
    question = Question(
        scenario=str(context.path),
        log=context.log,
        lateness_ms=context.lateness_ms,
        detector=detector.name,
        present=dict(detector.still_valid(switch.parameters)),
        other=dict(values),
        from_ms=context.now_ms() - _DAY_MS,
    )
    st.session_state["what if"] = AskedPreview(question)


def forget() -> None:
    before = st.session_state.pop("what if", None)
    if before is not None:
        before.stop()


@st.fragment(run_every=TICK_S)
@shows_failures
def show_preview(detector: Detector) -> None:
    asked: AskedPreview | None = st.session_state.get("what if")
    if asked is None or asked.question.detector != detector.name:
        return
    context, answer = current_context(), asked.answer
    if asked.failed:
        st.warning(text.detectors.NO_PREVIEW, icon=":material/history:")
    elif answer.done < 1:
        st.progress(min(answer.done, 1.0), text.detectors.PREVIEWING.format(answer.done))
    else:
        words = text.detectors.PREVIEW.format(
            values=_values(detector, asked.question),
            other=_alerts(answer.other),
            since=times.moment(answer.from_ms, context.zone)[:-3],
            present=answer.present,
        )
        st.info(escaped(words), icon=":material/history:")


def _values(detector: Detector, question: Question) -> str:
    """Those that are others than now; all of them if none is."""
    changed = {
        name: value for name, value in question.other.items() if question.present.get(name) != value
    } or question.other
    parts = (
        text.detectors.VALUE_OF.format(
            detector.parameters[name].label, detector.parameters[name].shown(value)
        )
        for name, value in changed.items()
    )
    return ", ".join(parts)


def _alerts(count: int) -> str:
    return text.detectors.ONE_ALERT if count == 1 else text.detectors.MANY_ALERTS.format(f"{count:,}")
