"""Precision, recall and delay over levels of noise, as text and pictures: `python -m benchmarks.accuracy`."""

from __future__ import annotations

import sys
from pathlib import Path

from app.place.scenario import load
from simulator.commands.score import measure
from simulator.trial.accuracy_plot import draw

HOUR = 3_600_000
LENGTHS = {"store": 3 * HOUR // 2, "ward": 12 * HOUR, "library": 3 * HOUR}
LEVELS = (0.0, 1.0, 2.0, 4.0, 8.0)
SEEDS = range(101, 106)  # others than those of the tests


def main(folder: Path) -> None:
    for name, length in LENGTHS.items():
        place = load(Path("scenarios") / f"{name}.yaml")
        levels = {level: measure(place, level, SEEDS, length) for level in LEVELS}
        for level, scores in levels.items():
            for detector, one in scores.items():
                delay = "" if one.delay_ms is None else f", typical delay {one.delay_ms / 1000:.0f} s"
                counts = f"{one.right} of {one.right + one.missed} found, {one.false} false{delay}"
                print(f"noise {level:g}  {detector:20} {one.precision:.3f} {one.recall:.3f}  {counts}")
        draw(place.title, levels, folder / f"accuracy-{name}.html")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
