"""The truth of a demo: what the simulator did, what it answers, and the score that follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from streamlit.testing.v1 import AppTest

from app import store
from app.mqtt.topics import SIMULATOR_ANSWER, SIMULATOR_DIALS, SIMULATOR_TRUTH
from dashboard.context import Context
from dashboard.truth.heard import DemoTruth, Dials, Incident
from dashboard.words import text
from tests.dashboard import seed


def truth() -> DemoTruth:
    return DemoTruth(lambda: seed.NOW)


def test_an_incident_is_remembered_as_it_was_told() -> None:
    one = truth()
    one.hear(
        SIMULATOR_TRUTH,
        b'{"incident": "shoplifting", "detector": "shoplifting", "subject": "JEAN-1", "ts": 5}',
    )
    assert one.incidents() == [Incident("shoplifting", "JEAN-1", 5)]


def test_nonsense_is_left_out() -> None:
    one = truth()
    for payload in (b"", b"[]", b"{}", b"\xff", b'{"detector": 1}', b"null"):
        one.hear(SIMULATOR_TRUTH, payload)
        one.hear(SIMULATOR_ANSWER, payload)
        one.hear(SIMULATOR_DIALS, payload)
    assert one.incidents() == []
    assert one.dials() == Dials(speed=1.0, noise=1.0)


def test_the_simulators_last_answer_is_kept() -> None:
    one = truth()
    one.hear(SIMULATOR_ANSWER, b'{"begun": "shoplift"}')
    one.hear(SIMULATOR_ANSWER, b'{"error": "unknown incident"}')
    assert one.answer() == (seed.NOW, "unknown incident")


def _demo() -> None:
    from dashboard.views import demo

    demo.show()


def test_the_dials_stand_where_the_simulator_says_the_world_is(
    empty: Context, sign_in: Callable[..., None]
) -> None:
    one = truth()
    one.hear(SIMULATOR_DIALS, b'{"speed": 7.5, "noise": 2.0}')
    sign_in(replace(empty, truth=one))
    dials = {
        dial.label: dial.value
        for dial in AppTest.from_function(_demo, default_timeout=30).run().select_slider
    }
    assert dials == {text.demo.SPEED: 7.5, text.demo.NOISE: 2.0}


def test_the_demo_page_scores_alerts_against_incidents(empty: Context, sign_in: Callable[..., None]) -> None:
    one = truth()
    alert = seed.shoplifting(0, seed.NOW)
    one.hear(
        SIMULATOR_TRUTH,
        b'{"detector": "shoplifting", "subject": "%s", "ts": %d}' % (alert.subject.encode(), seed.NOW),
    )
    one.hear(SIMULATOR_TRUTH, b'{"detector": "misplaced", "subject": "BAG-40-001", "ts": %d}' % seed.NOW)
    seed.switches(empty.store, seed.NOW)
    store.record_alerts(empty.store, [alert, seed.shoplifting(7, seed.NOW)], seed.NOW)
    sign_in(replace(empty, truth=one))
    *_, table = AppTest.from_function(_demo, default_timeout=30).run().dataframe
    rows = {row[text.terms.DETECTOR]: row for row in table.value.to_dict("records")}
    found = [
        rows["Shoplifting"][column]
        for column in (text.demo.HAPPENED, text.demo.SCORE_FOUND, text.demo.FALSELY)
    ]
    assert found == [1, 1, 0]  # what nobody knows of yet may still turn out true
    assert rows["Shoplifting"][text.demo.PENDING] == 1
    assert rows["Misplaced item"][text.demo.PENDING] == 1
