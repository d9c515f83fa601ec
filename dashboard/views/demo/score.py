"""The truth beside what was seen: the last incidents, the score of each detector, and what noise has cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

import detectors
from app import store
from app.detection.score import Score, score
from app.store import Alert, Filter
from dashboard.context import Context, area_title, current_context, subject_name
from dashboard.failures import shows_failures
from dashboard.truth.heard import DemoTruth, Incident
from dashboard.words import chances, text, times
from dashboard.words.escape import escaped

TICK_S = 1.0
_MOST_ALERTS = 2_000
_MOST_TRUTHS = 8
_SLACK_MS = 20_000  # an alert comes so long after its detector's patience at most


@st.fragment(run_every=TICK_S)
@shows_failures
def show_score() -> None:
    context = current_context()
    truth = context.truth
    if truth is None:
        st.subheader(text.demo.SCORE, anchor=False)
        st.info(text.demo.NO_TRUTH, icon=":material/visibility_off:")
        return
    alerts, switched = _alerts(context, truth), _switched(context)
    st.subheader(text.demo.TRUTH, anchor=False)
    _truths(context, truth.incidents(), alerts, switched)
    st.subheader(text.demo.SCORE, anchor=False)
    answer = truth.answer()
    if answer:
        begun = text.demo.INCIDENTS[answer[1]][0] if answer[1] in text.demo.INCIDENTS else answer[1]
        st.caption(escaped(text.demo.ANSWERED.format(times.clock(answer[0], context.zone), begun)))
    decided, pending = _decided(context, truth.incidents(), alerts)
    found = score(switched, decided[0], decided[1])
    rows = [_row(one, switched[one.detector], pending.get(one.detector, 0)) for one in found.values()]
    st.caption(text.demo.SCORE_SINCE.format(times.clock(truth.since_ms, context.zone)))
    st.dataframe(rows, hide_index=True, alt=text.demo.SCORE)


@st.fragment(run_every=TICK_S)
@shows_failures
def show_noise_costs() -> None:
    """The score under each noise that there was, as long as it lasted."""
    context = current_context()
    if context.truth is None:
        return
    st.subheader(text.demo.NOISE_COSTS, anchor=False)
    alerts, truths = _alerts(context, context.truth), context.truth.incidents()
    changes = context.truth.noises() or [(context.truth.since_ms, 1.0)]
    ends = [at for at, _ in changes[1:]] + [2**62]
    counted: dict[float, list[Score]] = {}
    for (start, noise), end in zip(changes, ends, strict=True):
        during = [one for one in alerts if start <= one.stored_ms < end]
        happened = [one for one in truths if start <= one.ts < end]
        decided, _ = _decided(context, happened, during)
        counted.setdefault(noise, []).extend(score(_switched(context), *decided).values())
    st.dataframe(
        [_noise_row(noise, scores) for noise, scores in sorted(counted.items())],
        hide_index=True,
        alt=text.demo.NOISE_COSTS,
    )


def _noise_row(noise: float, scores: Sequence[Score]) -> dict[str, Any]:
    right, false = sum(one.right for one in scores), sum(one.false for one in scores)
    missed = sum(one.missed for one in scores)
    return {
        text.demo.NOISE_LEVEL: text.demo.NOISES.get(noise, text.demo.TIMES_AS_MUCH.format(f"{noise:g}")),
        text.demo.HAPPENED: right + missed,
        text.demo.RECALL: _share(right, right + missed),
        text.demo.PRECISION: _share(right, right + false),
        text.demo.FALSELY: false,
    }


def _switched(context: Context) -> dict[str, bool]:
    """Every detector that the place knows of: one that is off keeps its row, and what it misses is told."""
    found = store.switches(context.store, context.scenario.name)
    return {
        name: one.enabled for name, one in found.items() if one.enabled or name in context.scenario.detectors
    }


def _alerts(context: Context, truth: DemoTruth) -> list[Alert]:
    wanted = Filter(scenarios=(context.scenario.name,))
    found = store.search(context.store, wanted, limit=_MOST_ALERTS).alerts
    return [alert for alert in found if alert.stored_ms >= truth.since_ms]


def _decided(
    context: Context, truths: Sequence[Incident], alerts: Sequence[Alert]
) -> tuple[tuple[list[Alert], list[Incident]], dict[str, int]]:
    """Alerts and incidents that can be judged; how many of each detector cannot be yet."""
    now = context.now_ms()
    subjects = {(one.detector, one.subject) for one in alerts}
    young = [
        one
        for one in truths
        if (one.detector, one.subject) not in subjects and now - one.ts < _patience(context, one.detector)
    ]
    known = {(one.detector, one.subject) for one in truths}
    fresh = [
        one for one in alerts if (one.detector, one.subject) not in known and now - one.stored_ms < _SLACK_MS
    ]
    pending: dict[str, int] = {}
    for detector in [*(one.detector for one in young), *(one.detector for one in fresh)]:
        pending[detector] = pending.get(detector, 0) + 1
    kept = [one for one in alerts if one not in fresh], [one for one in truths if one not in young]
    return kept, pending


def _patience(context: Context, detector: str) -> int:
    """How long after the deed its alert may come, with the parameters in force."""
    known = detectors.load().get(detector)
    standing = store.switches(context.store, context.scenario.name).get(detector)
    if known is None or standing is None:
        return _SLACK_MS
    lengths = [
        int(standing.parameters.get(name, one.default))
        for name, one in known.parameters.items()
        if one.kind == "duration" and name in ("patience", "window", "grace")
    ]
    return max(lengths, default=0) + 2 * _SLACK_MS


def _truths(
    context: Context, truths: Sequence[Incident], alerts: Sequence[Alert], switched: dict[str, bool]
) -> None:
    if not truths:
        st.caption(text.demo.NO_INCIDENTS)
        return
    newest = sorted(truths, key=lambda one: one.ts, reverse=True)[:_MOST_TRUTHS]
    rows = [
        (
            times.clock(one.ts, context.zone),
            f"{_title(one.detector)}: {subject_name(context, one.subject)}",
            _seen(context, one, alerts, switched),
        )
        for one in newest
    ]
    headings = text.demo.TRUTH_WHEN, text.demo.TRUTH_WHAT, text.demo.TRUTH_SEEN
    st.markdown(chances.table(headings, rows))


def _seen(context: Context, truth: Incident, alerts: Sequence[Alert], switched: dict[str, bool]) -> str:
    about = [
        one
        for one in alerts
        if (one.detector, one.subject) == (truth.detector, truth.subject)
        and one.detected_ms >= truth.ts - 5_000
    ]
    if about:
        first = min(about, key=lambda one: one.detected_ms)
        where = area_title(context, first.area)
        later = text.demo.SEEN_AFTER.format(times.duration(first.detected_ms - truth.ts))
        return ", ".join([later, *([where] if where else [])])
    if not switched.get(truth.detector, False):
        return text.demo.SEEN_OFF
    young = context.now_ms() - truth.ts < _patience(context, truth.detector)
    return text.demo.SEEN_PENDING if young else text.demo.SEEN_NOT


def _title(detector: str) -> str:
    known = detectors.load()
    return known[detector].title if detector in known else detector


def _row(one: Score, on: bool, pending: int) -> dict[str, Any]:
    title = _title(one.detector)
    return {
        text.terms.DETECTOR: title if on else text.demo.OFF_ROW.format(title),
        text.demo.HAPPENED: one.right + one.missed,
        text.demo.SCORE_FOUND: one.right,
        text.demo.NOT_FOUND: one.missed,
        text.demo.PENDING: pending,
        text.demo.FALSELY: one.false,
        text.demo.PRECISION: _share(one.right, one.right + one.false),
        text.demo.RECALL: _share(one.right, one.right + one.missed),
        text.terms.DELAY: text.terms.UNKNOWN_FIGURE if one.delay_ms is None else times.duration(one.delay_ms),
    }


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else text.terms.UNKNOWN_FIGURE
