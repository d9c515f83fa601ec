"""Precision, recall, delay and places over radios, as text and pictures, and quiet days.

Run with `python -m benchmarks.accuracy [--places library] [--radios kind real-shop] [--seeds 20]
[--cleaning whereabouts] [--in-order] [--levels 0 1] [--folder DIR] [--quiet]`.
Seeds from 1001 on: nothing was tuned to them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from app.detection.score import Score, total
from app.place.cleaning_settings import METHODS
from app.place.radio import PRESETS, RadioDials
from app.place.scenario import Scenario, load
from benchmarks.home_belief import household_errors
from benchmarks.places import PlaceAnswers, PlaceErrors
from simulator.commands.score import measure
from simulator.play import Play
from simulator.trial.accuracy_plot import draw
from simulator.trial.attempt import attempt
from simulator.trial.deciding import DECIDING

HOUR = 3_600_000
LENGTHS = {"store": 2 * HOUR, "ward": 12 * HOUR, "library": 3 * HOUR, "home": 24 * HOUR}
QUIET = {"store": "quiet_day", "library": "quiet_library", "home": "quiet_home"}
FIRST = 1001


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", nargs="+", choices=LENGTHS, default=list(LENGTHS))
    parser.add_argument("--radios", nargs="+", choices=PRESETS, default=list(PRESETS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--levels", nargs="*", type=float, default=[], help="of noise, as a picture")
    parser.add_argument("--in-order", action="store_true", help="also as if clocks were right")
    parser.add_argument("--quiet", action="store_true", help="also a quiet day under each radio")
    parser.add_argument("--cleaning", choices=METHODS, help="instead of the place's own")
    parser.add_argument("--folder", type=Path, default=Path())
    arguments = parser.parse_args()
    seeds = range(FIRST, FIRST + arguments.seeds)
    for name in arguments.places:
        place = _place(name, arguments.cleaning)
        for radio in arguments.radios:
            _print(f"{name}, {radio}", *scored(place, PRESETS[radio], seeds, LENGTHS[name]))
            if arguments.in_order:
                same = in_order(PRESETS[radio])
                _print(f"{name}, {radio}, in order", *scored(place, same, seeds, LENGTHS[name]))
            if arguments.quiet and name in QUIET:
                _quiet(_place(QUIET[name], arguments.cleaning), radio)
        if arguments.levels:
            _draw(name, seeds, arguments.levels, arguments.folder)


def scored(
    place: Scenario, radio: RadioDials, seeds: Iterable[int], length_ms: int
) -> tuple[dict[str, Score], PlaceErrors]:
    """The scores of several plays as one, and the mean of their places' errors."""
    scores, errors = [], []
    for seed in seeds:
        play = Play(place, seed, radio=radio, length_ms=length_ms, parts=("rates",))
        if place.household:  # nobody lies about on a shelf there: what is believed is asked
            scores.append(attempt(place, play).scores)
            errors.append(household_errors(place, seed, radio, length_ms))
            continue
        answers = PlaceAnswers(place, play.now, length_ms)
        scores.append(attempt(place, play, look=answers).scores)
        errors.append(answers.errors(play.mute))
    means = (fmean(getattr(one, name) for one in errors) for name in PlaceErrors.__dataclass_fields__)
    return total(scores), PlaceErrors(*means)


def in_order(dials: RadioDials) -> RadioDials:
    """The same reads to the last one, as if clocks were right and every report came at once."""
    return replace(dials, skew_ms=0, drift=0.0, holds=0.0)


def _print(what: str, scores: dict[str, Score], places: PlaceErrors) -> None:
    print(f"{what}: precision, recall, recall of what the deciding reader heard")
    for detector, one in scores.items():
        decides = f" at {DECIDING[detector].kind}" if detector in DECIDING else ""
        delay = "" if one.delay_ms is None else f", typical delay {one.delay_ms / 1000:.0f} s"
        counts = f"{one.right} of {one.right + one.missed} found, {one.false} false"
        unheard = f", {one.unheard} not heard{decides}" if one.unheard else ""
        shares = f"{one.precision:.3f} {one.recall:.3f} {one.recall_of_heard:.3f}"
        print(f"  {detector:20} {shares}  {counts}{unheard}{delay}", flush=True)
    print(
        f"  places: wrong {places.all_tags:.4f} of the time, {places.moved:.4f} of tags that moved; "
        f"stays right {places.stays_right:.3f}; confidence off by "
        f"{places.confidence_off:.3f} where below 0.99 ({places.doubtful:.3f} of the time)",
        flush=True,
    )


def _draw(name: str, seeds: range, noises: list[float], folder: Path) -> None:
    place = _place(name)
    levels = {level: measure(place, level, seeds, LENGTHS[name]) for level in noises}
    draw(place.title, levels, folder / f"accuracy-{name}.html")


def _quiet(place: Scenario, radio: str) -> None:
    alerts = attempt(place, Play(place, FIRST, radio=radio, length_ms=24 * HOUR)).alerts
    sure = [alert for alert in alerts if alert.probability is None or alert.probability >= 0.9]
    print(
        f"{place.title}, {radio}: {len(alerts)} alerts in 24 hours, {len(sure)} of them claim 90%", flush=True
    )


def _place(name: str, cleaning: str | None = None) -> Scenario:
    place = load(Path("scenarios") / f"{name}.yaml")
    return replace(place, cleaning=replace(place.cleaning, method=cleaning)) if cleaning else place


if __name__ == "__main__":
    main()
