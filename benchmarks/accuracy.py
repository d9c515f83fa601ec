"""Precision, recall and delay over levels of noise, as text and pictures, and quiet days.

Run with `python -m benchmarks.accuracy [--places library] [--seeds 20] [--levels 0 1] [--folder DIR]`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from app.place.scenario import Scenario, load
from simulator.commands.score import measure
from simulator.play import Play
from simulator.trial.accuracy_plot import draw
from simulator.trial.attempt import attempt

HOUR = 3_600_000
LENGTHS = {"store": 3 * HOUR // 2, "ward": 12 * HOUR, "library": 3 * HOUR}
QUIET = {"store": "quiet_day", "library": "quiet_library"}
FIRST = 1001  # nothing was tuned to the seeds from here on


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", nargs="+", choices=LENGTHS, default=list(LENGTHS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--levels", nargs="+", type=float, default=[0.0, 1.0, 2.0, 4.0, 8.0])
    parser.add_argument("--folder", type=Path, default=Path())
    arguments = parser.parse_args()
    for name in arguments.places:
        _noisy(name, range(FIRST, FIRST + arguments.seeds), arguments.levels, arguments.folder)
        if name in QUIET:
            _quiet(_place(QUIET[name]))


def _noisy(name: str, seeds: range, noises: list[float], folder: Path) -> None:
    place = _place(name)
    levels = {level: measure(place, level, seeds, LENGTHS[name]) for level in noises}
    for level, scores in levels.items():
        for detector, one in scores.items():
            delay = "" if one.delay_ms is None else f", typical delay {one.delay_ms / 1000:.0f} s"
            counts = f"{one.right} of {one.right + one.missed} found, {one.false} false{delay}"
            print(
                f"noise {level:g}  {detector:20} {one.precision:.3f} {one.recall:.3f}  {counts}", flush=True
            )
    draw(place.title, levels, folder / f"accuracy-{name}.html")


def _quiet(place: Scenario) -> None:
    alerts = attempt(place, Play(place, FIRST, length_ms=24 * HOUR)).alerts
    print(f"{place.title}: {len(alerts)} alerts in 24 hours", flush=True)


def _place(name: str) -> Scenario:
    return load(Path("scenarios") / f"{name}.yaml")


if __name__ == "__main__":
    main()
