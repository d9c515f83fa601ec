"""`vigil score SCENARIO`: precision, recall and delay of every detector, measured against the truth."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from app.detection.score import Score, total
from app.place import scenario
from app.place.find import find_scenario
from app.place.scenario import Scenario
from detectors.document import FaultyFileError
from simulator.commands.simulate import add_radio, duration
from simulator.play import Play
from simulator.trial.accuracy_plot import draw
from simulator.trial.attempt import attempt

_LEVELS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", help="a file, or the name of a scenario that comes with Vigil")
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="how many plays (default 5)")
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="the first seed (default 1)")
    add_radio(parser)
    parser.add_argument("--length", type=duration, metavar="DURATION", help="of each play, such as '2 hours'")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="also score other levels of noise, as HTML")
    parser.add_argument(
        "--least", type=float, metavar="SHARE", help="fail if any score is below this, as 0.97"
    )


def run(arguments: argparse.Namespace) -> int:
    try:
        place = scenario.load(find_scenario(arguments.scenario))
        seeds, length, radio = _seeds(arguments), arguments.length, arguments.radio
        scores = measure(place, arguments.noise, seeds, length, radio)
        _show(place, arguments, scores)
        if arguments.plot:
            levels = {level: measure(place, level, seeds, length, radio) for level in _LEVELS}
            draw(place.title, levels, arguments.plot)
    except (FaultyFileError, LookupError, OSError, ValueError) as error:
        print(f"vigil score: {error}", file=sys.stderr)
        return 1
    return 1 if arguments.least is not None and _worst(scores) < arguments.least else 0


def measure(
    place: Scenario, noise: float, seeds: Sequence[int], length: int | None, radio: str | None = None
) -> dict[str, Score]:
    """The scores of several plays as one; `radio` is a preset instead of the scenario's own."""
    return total(_runs(place, noise, seeds, length, radio))


def _runs(
    place: Scenario, noise: float, seeds: Sequence[int], length: int | None, radio: str | None
) -> Iterator[dict[str, Score]]:
    for seed in seeds:
        usual = place.simulation.length_ms if place.simulation else None
        play = Play(place, seed, radio=radio, noise=noise, length_ms=length or usual, parts=("rates",))
        yield attempt(place, play).scores


def _seeds(arguments: argparse.Namespace) -> range:
    return range(arguments.first, arguments.first + arguments.seeds)


def _worst(scores: dict[str, Score]) -> float:
    return min((min(one.precision, one.recall) for one in scores.values()), default=1.0)


def _show(place: Scenario, arguments: argparse.Namespace, scores: dict[str, Score]) -> None:
    radio = f", radio {arguments.radio}" if arguments.radio else ""
    table = Table(title=f"{place.title}: {arguments.seeds} plays at noise {arguments.noise:g}{radio}")
    counted = ("incidents", "found", "not heard", "false")
    for heading in ("detector", *counted, "precision", "recall", "typical delay"):
        table.add_column(heading, justify="left" if heading == "detector" else "right")
    for name, one in scores.items():
        delay = "" if one.delay_ms is None else f"{one.delay_ms / 1000:.0f} seconds"
        counts = (one.right + one.missed, one.right, one.unheard, one.false)
        table.add_row(name, *map(str, counts), f"{one.precision:.3f}", f"{one.recall:.3f}", delay)
    Console().print(table)
