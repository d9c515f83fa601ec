"""Whatever a demo can stage is told within a minute, by the product's own cleaning and detectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cleaning.stream import CleanedStream
from app.demo.hurried_place import HASTE, hurried
from app.detection.in_process import InProcess
from app.place.find import find_scenario
from app.place.scenario import load
from app.settings import Settings
from app.store import Alert
from simulator.play import Play
from simulator.staging.stage import command
from simulator.trial.delivery import Delivery
from simulator.worlds.stories import StagedDeed
from simulator.worlds.world import MINUTE, SECOND

STAGED = {
    "store": {
        "shoplift": "shoplifting",
        "misplace": "misplaced",
        "sweep": "shelf_sweep",
        "fitting_loss": "fitting_room_loss",
        "buy_up": "understocked",
        "copied_tag": "impossible",  # of something that has left before
        "reader_down": "reader_silent",
    },
    "ward": {
        "overdose": "overdose",
        "interaction": "drug_interaction",
        "wrong_patient": "wrong_patient",
        "reader_down": "reader_silent",
    },
    "library": {
        "misplace_book": "misplaced_book",
        "booklift": "booklifting",
        "confusion": "confusion",
        "over_limit": "over_limit",
        "reader_down": "reader_silent",
    },
    "home": {
        "leak": "leak",
        "long_in_bathroom": "long_in_bathroom",
        "leak_untold": "leak_untold",
        "intruder": "motion_nobody_home",
        "reader_down": "reader_silent",
    },
}


class Stage:
    """A demo's place without Spark, pages and broker, two seconds at a time; chance stays away."""

    def __init__(self, name: str, folder: Path) -> None:
        place = load(hurried(find_scenario(name), folder))
        self.play = Play(place, 1, haste=HASTE, noise=0, parts=())
        self._stream = CleanedStream(place, Settings.lateness_ms)
        self._delivery = Delivery(Settings.lateness_ms)
        self._detection = InProcess(place)
        self.alerts: list[Alert] = []
        self.steps: list[StagedDeed] = []

    def play_for(self, length: int) -> None:
        until = self.play.now + length
        while self.play.now < until:
            scene = self.play.step(2 * SECOND)
            self.steps += self.play.world.stories.news()
            if scene.reports.num_rows:
                rows = self._delivery.rows(scene.reports, scene.arrives)
                self.alerts += self._detection.push(self._stream.push(rows))

    def subjects(self, role: str) -> set[str]:
        """Whom and what the story is about."""
        mine = [step for step in self.steps if step.incident == role]
        things = {thing for step in mine for thing in step.things}
        rows = self.play.world.rows
        products = {
            rows["product"][row]
            for row, name in enumerate(rows["id"])
            if name in things and "product" in rows
        }
        places = {step.area for step in mine} | {self.play.world.scenario.name}
        return things | products | places | {step.who for step in mine}


@pytest.mark.parametrize("name", STAGED)
def test_every_staged_incident_is_told_within_a_minute(name: str, tmp_path: Path) -> None:
    stage = Stage(name, tmp_path)
    stage.play_for(40 * SECOND)
    missing = []
    for role, detector in STAGED[name].items():
        stage.alerts.clear()
        command(stage.play.cast, {"incident": role})
        stage.play_for(MINUTE)
        told = {one.subject for one in stage.alerts if one.detector == detector}
        missing += [] if stage.subjects(role) & told else [role]
    assert missing == []
