"""Real recordings of a tag that a person wears in a room with a bed and a chair, beside the last antenna.

A folder of rooms, each a folder of trials: comma separated, the time in seconds first, the antenna fifth, the
label last (1 and 3 on the bed, 2 on the chair, 4 walking about). Every other trial teaches, without labels
but for naming which place each antenna hears most; the others are tried. A label holds until the next reading,
30 s at most.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.belief_crowd import off
from sase import belief

LABELS = {1: "bed", 3: "bed", 2: "chair", 4: "elsewhere"}
STAYS = {"bed": "1 minute", "chair": "1 minute", "elsewhere": "10 seconds"}
MOVES = [("bed", "elsewhere"), ("elsewhere", "chair")]
HOLDS = 30_000  # milliseconds
BETWEEN = 60_000  # two trials of a recording

Trial = NDArray[np.float64]


@dataclass(frozen=True)
class Room:
    name: str
    trials: list[Trial]


@dataclass(frozen=True)
class Found:
    right: float
    last: float
    off: float
    balanced: float
    last_balanced: float


def rooms(folder: Path) -> list[Room]:
    found = sorted(path for path in folder.iterdir() if path.is_dir())
    return [
        Room(path.name, [np.loadtxt(trial, delimiter=",", ndmin=2) for trial in sorted(path.iterdir())])
        for path in found
    ]


def measured(room: Room) -> Found:
    teaching, trying = room.trials[::2], room.trials[1::2]
    nearest = _nearest(teaching)
    model = _learned(teaching, nearest)
    rows = np.concatenate([_tried(model, nearest, trial) for trial in trying])
    truth, right, last, sure, length = rows.T
    total = length.sum()
    by_place = [
        [
            float((length * hit)[truth == place].sum() / length[truth == place].sum())
            for place in np.unique(truth)
        ]
        for hit in (right, last)
    ]
    return Found(
        float((length * right).sum() / total),
        float((length * last).sum() / total),
        off(sure, right, length),
        float(np.mean(by_place[0])),
        float(np.mean(by_place[1])),
    )


def _nearest(trials: list[Trial]) -> dict[str, str]:
    """The place that each antenna hears most: the one use of labels."""
    heard: dict[str, Counter[str]] = defaultdict(Counter)
    for trial in trials:
        for row in trial:
            heard[_antenna(row)][LABELS[int(row[8])]] += 1
    return {antenna: places.most_common(1)[0][0] for antenna, places in sorted(heard.items())}


def _learned(trials: list[Trial], nearest: dict[str, str]) -> belief.Model:
    sensors = {
        antenna: belief.Watch(
            near, 0.5, "1 second", {place: _stray(place) for place in STAYS if place != near}
        )
        for antenna, near in nearest.items()
    }
    model = belief.Model({place: place for place in STAYS}, MOVES, STAYS, sensors)
    rows, alive, begin = [], [], 0
    for number, trial in enumerate(trials):
        times = begin + np.rint(trial[:, 0] * 1000).astype(int)
        rows += [
            {"ts": int(ts), "sensor": _antenna(row), "entity": f"trial {number}"}
            for ts, row in zip(times, trial, strict=True)
        ]
        alive += [(ts, antenna) for ts in range(begin, int(times[-1]) + 1, 1000) for antenna in sensors]
        begin = int(times[-1]) + BETWEEN
    return belief.learn(rows, model, alive=alive)


def _stray(place: str) -> float:
    return 0.1 if place == "elsewhere" else 0.02


def _tried(model: belief.Model, nearest: dict[str, str], trial: Trial) -> NDArray[np.float64]:
    """Rows of true place, whether the belief and the last antenna are right, how sure, and for how long.

    The antennas' silence is not told: a tag under a blanket is silent for minutes.
    """
    places, state, found = list(STAYS), belief.State(model, ["one"]), []
    times = np.rint(trial[:, 0] * 1000).astype(int)
    for i, row in enumerate(trial[:-1]):
        state.see([{"ts": int(times[i]), "sensor": _antenna(row), "entity": "one"}])
        truth = LABELS[int(row[8])]
        for ts in range(int(times[i]), int(min(times[i + 1], times[i] + HOLDS)), 1000):
            length = min(1000, int(min(times[i + 1], times[i] + HOLDS)) - ts)
            state.advance(ts)
            where = state.where("one")
            best = max(where, key=where.__getitem__)
            last = nearest[_antenna(row)]
            found.append((places.index(truth), best == truth, last == truth, where[best], length))
    return np.array(found, float).reshape(-1, 5)


def _antenna(row: NDArray[np.float64]) -> str:
    return f"antenna {int(row[4])}"
