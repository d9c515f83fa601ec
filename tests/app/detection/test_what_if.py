"""What other parameters would have meant: counted over the recording, with progress."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.detection.what_if import Answer, Question, answers
from app.log.row import STORED_SCHEMA
from app.log.writer import LogWriter
from app.place.find import find_scenario
from app.place.scenario import load
from app.settings import Settings
from dashboard.facts.what_if import AskedPreview
from simulator.play import Play
from simulator.trial.delivery import Delivery
from simulator.worlds.world import MINUTE
from tests.app.brokers import until


@pytest.fixture(scope="module")
def question(tmp_path_factory: pytest.TempPathFactory) -> Question:
    """A day of which fifty minutes are recorded: a bag lies on a foreign shelf from 09:08 on."""
    folder = tmp_path_factory.mktemp("recording")
    path = find_scenario("store")
    play = Play(load(path), 1, noise=0, length_ms=50 * MINUTE, parts=("script",))
    delivery = Delivery(Settings.lateness_ms)
    with LogWriter(folder, STORED_SCHEMA) as log:
        for scene in play.scenes(10 * MINUTE):
            rows = delivery.rows(scene.reports, scene.arrives)
            log.append(rows.drop_columns(["position"]))
    return Question(
        scenario=str(path),
        log=folder,
        lateness_ms=Settings.lateness_ms,
        detector="misplaced",
        present={"patience": 15 * MINUTE, "sure": 0.5},
        other={"patience": 45 * MINUTE, "sure": 0.5},
        from_ms=0,
    )


def test_a_longer_patience_would_have_told_less(question: Question) -> None:
    told = list(answers(question))
    assert (told[-1].present, told[-1].other) == (1, 0)
    assert told[-1].done == 1.0
    assert [one.done for one in told] == sorted(one.done for one in told)


def test_what_came_before_is_not_counted(question: Question) -> None:
    [*_, last] = answers(replace(question, from_ms=2**61))
    assert last == Answer(1.0, 0, 0)


def test_it_is_asked_in_a_process_of_its_own(question: Question) -> None:
    asked = AskedPreview(question)
    until(lambda: asked.answer.done == 1.0 or asked.failed, seconds=240)  # a busy machine starts it slowly
    assert (asked.answer.present, asked.answer.other) == (1, 0)
