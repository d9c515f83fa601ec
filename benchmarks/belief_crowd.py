"""Many tags that move between twenty places, read by imperfect readers; a belief beside the truth."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase import belief

PLACES = 20
STAY = 1200  # seconds
HIT, STRAY = 0.7, 0.03
NEAR = (1, PLACES - 1, 5, PLACES - 5)
LATELY = 30  # seconds after a move
WARM = 5  # seconds until most tags were heard


@dataclass(frozen=True)
class Crowd:
    tags: int
    seconds: int
    batches: list[pa.RecordBatch]  # one a second
    where: NDArray[np.int64]  # (seconds, tags)

    @property
    def names(self) -> list[str]:
        return [f"tag-{i}" for i in range(self.tags)]


@dataclass(frozen=True)
class Rightness:
    right: float
    moved: float
    off: float
    off_in_doubt: float
    inside: float
    stated: float


@cache
def model() -> belief.Model:
    places = [f"p{i}" for i in range(PLACES)]
    moves = {tuple(sorted((i, (i + step) % PLACES))) for i in range(PLACES) for step in NEAR}
    sensors = {
        f"r{i}": belief.Watch(
            places[i], HIT, "1 second", {places[(i + side) % PLACES]: STRAY for side in (1, PLACES - 1)}
        )
        for i in range(PLACES)
    }
    return belief.Model(
        dict.fromkeys(places, "area"),
        [(places[a], places[b]) for a, b in sorted(moves)],
        {"area": f"{STAY} seconds"},
        sensors,
    )


def simulated(tags: int, seconds: int, seed: int) -> Crowd:
    draw = np.random.default_rng(seed)
    where, batches, truth = draw.integers(0, PLACES, tags), [], np.empty((seconds, tags), np.int64)
    names, readers = (
        pa.array([f"{kind}{i}" for i in range(n)]) for kind, n in (("tag-", tags), ("r", PLACES))
    )
    for second in range(seconds):
        gone = np.flatnonzero(draw.random(tags) < 1 / STAY)
        where[gone] = (where[gone] + draw.choice(NEAR, len(gone))) % PLACES
        truth[second] = where
        own = np.flatnonzero(draw.random(tags) < HIT)
        sides = [(np.flatnonzero(draw.random(tags) < STRAY), side) for side in (1, PLACES - 1)]
        entity = np.concatenate([own, *(heard for heard, _ in sides)])
        reader = np.concatenate([where[own], *((where[heard] - side) % PLACES for heard, side in sides)])
        order = draw.permutation(len(entity))
        ts = second * 1000 + np.sort(draw.integers(0, 1000, len(entity)))
        columns = {
            "ts": pa.array(ts),
            "sensor": pa.DictionaryArray.from_arrays(pa.array(reader[order], pa.int32()), readers),
            "entity": pa.DictionaryArray.from_arrays(pa.array(entity[order], pa.int32()), names),
        }
        batches.append(pa.RecordBatch.from_pydict(columns))
    return Crowd(tags, seconds, batches, truth)


def played(crowd: Crowd, seconds: int) -> belief.State:
    state = belief.State(model(), crowd.names)
    for second in range(seconds):
        _second(state, second, crowd.batches[second])
    return state


def measured(crowd: Crowd, sample: int) -> tuple[float, int, float]:
    """Sightings a second, changes told, and how often the full filter has a tag at the same place.

    After some seconds: before, nothing is known, and the first of twenty equal places is as good as the last.
    """
    state = belief.State(model(), crowd.names)
    whole = belief.State(model(), crowd.names[:sample])
    spent, rows, events, same = 0.0, 0, 0, []
    for second, batch in enumerate(crowd.batches):
        began = time.process_time()
        _second(state, second, batch)
        events += len(state.changes())
        spent += (time.process_time() - began) * (second >= WARM)
        rows += len(batch) * (second >= WARM)
        mine = [row for row in batch.to_pylist() if int(row["entity"].removeprefix("tag-")) < sample]
        for reader in model().sensors:
            whole.alive(reader, second * 1000)
        whole.see(mine)
        whole.changes()
        if second >= WARM:
            same += [_best(state.where(name)) == _best(whole.where(name)) for name in crowd.names[:sample]]
    return rows / spent, events, float(np.mean(same))


def rightness(crowd: Crowd) -> tuple[Rightness, Rightness]:
    """Of the belief, and of the place whose reader heard a tag last."""
    state = belief.State(model(), crowd.names)
    places = list(model().places)
    last = np.zeros(crowd.tags, np.int64)
    moved = np.full(crowd.tags, -LATELY)
    found: dict[str, list[NDArray[np.float64]]] = {name: [] for name in ("right", "last", "sure", "lately")}
    intervals = []
    for second, batch in enumerate(crowd.batches):
        _second(state, second, batch)
        entity, reader = (batch.column(name).indices.to_numpy() for name in ("entity", "sensor"))
        last[entity] = reader
        shares = [state.present(place) for place in places]
        chances = np.array([[share[name] for share in shares] for name in crowd.names])
        truth = crowd.where[second]
        moved[(crowd.where[max(second - 1, 0)] != truth)] = second
        found["right"].append(chances.argmax(axis=1) == truth)
        found["sure"].append(chances.max(axis=1))
        found["last"].append(last == truth)
        found["lately"].append(second - moved < LATELY)
        intervals += [_interval(state, place, int((truth == i).sum())) for i, place in enumerate(places[:4])]
    right, sure, seen, lately = (np.concatenate(found[name]) for name in ("right", "sure", "last", "lately"))
    doubt = sure < 0.99
    wide = np.array([each for each in intervals if each[2]] or [(1.0, 1.0, 1.0)])
    ours = Rightness(
        float(right.mean()),
        float(right[lately].mean()),
        off(sure, right),
        off(sure[doubt], right[doubt]),
        float(wide[:, 0].mean()),
        float(wide[:, 1].mean()),
    )
    return ours, Rightness(float(seen.mean()), float(seen[lately].mean()), 0.0, 0.0, 0.0, 0.0)


def off(
    sure: NDArray[np.float64], right: NDArray[np.float64], weight: NDArray[np.float64] | None = None
) -> float:
    """By how much stated confidence differs from being right, over ten bins of it."""
    weight = np.ones(len(sure)) if weight is None else weight
    bins = np.minimum((sure * 10).astype(int), 9)
    differences = np.bincount(bins, weight * (sure - right), 10)
    return float(np.abs(differences).sum() / weight.sum())


def _second(state: belief.State, second: int, batch: pa.RecordBatch) -> None:
    for reader in model().sensors:
        state.alive(reader, second * 1000)
    state.see(batch)


def _interval(state: belief.State, place: str, truth: int) -> tuple[float, float, float]:
    """Whether the truth is inside, the mass that is stated, whether it is wider than one number."""
    count = state.how_many(place)
    stated = sum(count.distribution[count.low : count.high + 1])
    return float(count.low <= truth <= count.high), stated, float(count.high > count.low)


def _best(where: dict[str, float]) -> str:
    return max(where, key=where.__getitem__)
