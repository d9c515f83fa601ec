"""How often an answer to "where is it?" is right, second by second, and how sure it claims to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from app.place.cleaning_settings import WHEREABOUTS
from app.place.scenario import Scenario
from benchmarks.believed_places import NOWHERE, BelievedPlaces, Grid, Sureness
from simulator.play import Scene

SETTLED_S = 180  # after so long every tag has been heard that can be
CLEAR = 0.99  # what is surer than that says little about calibration: most of the time things lie still


@dataclass(frozen=True)
class PlaceErrors:
    """Shares of seconds with a wrong answer, over all tags and over those that moved; the share of stays of
    which most was answered right; how far stated confidence is off, where it is below 0.99, and how often
    that is."""

    all_tags: float
    moved: float
    stays_right: float
    confidence_off: float
    doubtful: float


class PlaceAnswers:
    """Looks on at a trial: the truth from its scenes; the answer is what is likeliest where whereabouts are
    kept, else what its cleaned events told last."""

    def __init__(self, scenario: Scenario, start: int, length_ms: int, keep_every_s: int = 0) -> None:
        self._start, self._seconds = start, length_ms // 1000
        self._tags = scenario.items.column("tag").combine_chunks()
        self._areas = pa.array([area.name for area in scenario.plan.areas])
        self._truth: Grid = np.full((len(self._tags), self._seconds), NOWHERE, np.int16)
        self._stays: dict[tuple[int, int, int], int] = {}
        self._told: list[pa.RecordBatch] = []
        believed = scenario.cleaning.method == WHEREABOUTS
        self._believed = BelievedPlaces(scenario, start, self._seconds, keep_every_s) if believed else None

    def scene(self, scene: Scene) -> None:
        if self._believed:
            self._believed.scene(scene)
        present = scene.presences
        columns = (present.tag, present.area, present.start, present.end)
        for tag, area, start, end in np.column_stack(columns).tolist():
            self._truth[tag, self._second(start) : self._second(end)] = area
            self._stays[tag, area, start] = end

    def events(self, events: pa.RecordBatch) -> None:
        comes = pc.and_(pc.ends_with(events["event"], "-READING"), pc.equal(events["dwell"], 0))
        goes = pc.ends_with(events["event"], "-LEFT")
        known = pc.and_(pc.or_(comes, goes), pc.is_valid(events["tag"]))
        told = events.filter(pc.fill_null(known, False))
        sure = told["prob"] if "prob" in told.schema.names else pa.nulls(told.num_rows, pa.float64())
        names = ["event", "ts", "tag", "area"]
        self._told.append(
            pa.RecordBatch.from_arrays([*(told[name] for name in names), sure], [*names, "prob"])
        )

    @property
    def truth(self) -> Grid:
        return self._truth

    def kept(self) -> dict[int, Sureness]:
        """The chances of every tag, every so many seconds, where whereabouts are kept."""
        if self._believed is None:
            return {}
        self._believed.finish()
        return self._believed.kept

    def errors(self, mute: npt.NDArray[np.bool_]) -> PlaceErrors:
        """Of the tags that answer at all."""
        answer, sure = self._believed.finish() if self._believed else self._last_told()
        right = answer == self._truth
        settled, answers = right[:, SETTLED_S:], ~mute
        moves = (np.diff(self._truth, axis=1) != 0).any(axis=1) & answers
        off, doubtful = calibration(sure[answers, SETTLED_S:], settled[answers])
        return PlaceErrors(
            float(1 - settled[answers].mean()),
            float(1 - settled[moves].mean()) if moves.any() else 0.0,
            self._stays_right(right, moves),
            off,
            doubtful,
        )

    def _last_told(self) -> tuple[Grid, Sureness]:
        """What was told last of each tag, second by second."""
        told = pa.Table.from_batches(self._told).combine_chunks().to_batches()[0]
        tag = pc.index_in(told["tag"], value_set=self._tags).to_numpy()
        area = pc.fill_null(pc.index_in(told["area"], value_set=self._areas), NOWHERE).to_numpy()
        left = pc.ends_with(told["event"], "-LEFT").to_numpy(zero_copy_only=False)
        second = np.clip((told["ts"].to_numpy() - self._start) // 1000 + 1, 0, self._seconds - 1)
        latest = np.zeros(self._truth.shape, np.int32)
        np.maximum.at(latest, (tag, second), np.arange(1, len(tag) + 1, dtype=np.int32))
        np.maximum.accumulate(latest, axis=1, out=latest)
        answers = np.concatenate([[NOWHERE], np.where(left, NOWHERE, area)]).astype(np.int16)
        sure = np.concatenate([[1.0], pc.fill_null(told["prob"], 1.0).to_numpy()]).astype(np.float32)
        return answers[latest], sure[latest]

    def _stays_right(self, right: npt.NDArray[np.bool_], moves: npt.NDArray[np.bool_]) -> float:
        """Of stays of at least a second of tags that moved, once all is settled."""
        found = []
        for (tag, _, start), end in self._stays.items():
            first, last = max(self._second(start), SETTLED_S), self._second(end)
            if moves[tag] and last > first:
                found.append(right[tag, first:last].mean() > 0.5)
        return float(np.mean(found)) if found else 1.0

    def _second(self, ts: int) -> int:
        return min(max(-((self._start - ts) // 1000), 0), self._seconds)


def calibration(
    sure: npt.NDArray[np.floating], right: npt.NDArray[np.bool_], below: float = CLEAR
) -> tuple[float, float]:
    """The expected calibration error over ten bins of stated confidence, and the share of what is so unsure.
    Chosen by what is stated, not by what was true: the latter is wrong by construction."""
    doubtful = sure < below
    stated, hit = sure[doubtful], right[doubtful]
    if not len(stated):
        return 0.0, 0.0
    part = np.minimum((stated * 10).astype(int), 9)
    count = np.bincount(part, minlength=10)
    gap = np.abs(np.bincount(part, stated, 10) - np.bincount(part, hit, 10))
    return float(gap[count > 0].sum() / count.sum()), float(doubtful.mean())
