"""Where each tag is most likely, second by second, as the product's own cleaning believes it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from app.cleaning.cleaner import Cleaner
from app.cleaning.order import Order
from app.cleaning.placed import ELSEWHERE
from app.cleaning.stream import rows_in_order
from app.log.row import ROW_SCHEMA
from app.place.scenario import Scenario
from app.settings import Settings
from simulator.play import Scene
from simulator.trial.delivery import Delivery

Grid = npt.NDArray[np.int16]  # tags by seconds: which area, or NOWHERE
Sureness = npt.NDArray[np.float32]
NOWHERE = -1


class BelievedPlaces:
    """Follows a play a second at a time beside the trial, which takes half an hour at once. At each second
    it knows what was read up to then: reports that were held back come when they come."""

    def __init__(self, scenario: Scenario, start: int, seconds: int, keep_every_s: int = 0) -> None:
        self._cleaner, self._start = Cleaner(scenario), start
        self._delivery = Delivery(Settings.lateness_ms)
        self._order = Order(ROW_SCHEMA, Settings.lateness_ms, keeps_late=True)
        self._answers: Grid = np.full((scenario.items.num_rows, seconds), NOWHERE, np.int16)
        self._sure: Sureness = np.ones(self._answers.shape, np.float32)
        self._done, self._keep_every_s = 0, keep_every_s
        self.kept: dict[int, Sureness] = {}  # by second: the chances of every tag, now and then

    def scene(self, scene: Scene) -> None:
        if scene.reports.num_rows:
            rows = rows_in_order(self._delivery.rows(scene.reports, scene.arrives))
            self._follow(self._order.push(rows)[0], self._order.now)

    def finish(self) -> tuple[Grid, Sureness]:
        """The likeliest answer of each second and how likely it is; nothing more will come."""
        self._follow(self._order.finish(), self._start + 1000 * self._answers.shape[1])
        return self._answers, self._sure

    def _follow(self, rows: pa.RecordBatch, until: int) -> None:
        times, taken = rows["ts"].to_numpy(), 0
        for second in range(self._done, min((until - self._start) // 1000 + 1, self._answers.shape[1])):
            moment = self._start + 1000 * second
            end = int(np.searchsorted(times, moment, "right"))
            self._cleaner.push(rows.slice(taken, end - taken), moment)
            self._note(second)
            taken, self._done = end, second + 1
        self._cleaner.push(rows.slice(taken), until)

    def _note(self, second: int) -> None:
        """The likeliest as the page has it: to be on its way, not heard any more and out are three places of
        which the truth makes one."""
        chances = self._cleaner.placed().chances
        if self._keep_every_s and second % self._keep_every_s == 0:
            self.kept[second] = chances
        areas = chances.shape[1] - ELSEWHERE
        best, elsewhere = chances.argmax(axis=1), chances[:, areas:].sum(axis=1)
        nowhere = (best >= areas) | ~chances.any(axis=1)
        self._answers[:, second] = np.where(nowhere, NOWHERE, best)
        heard = chances.any(axis=1)
        likely = np.where(nowhere, elsewhere, chances.max(axis=1))
        self._sure[:, second] = np.where(heard, likely, 1.0)
