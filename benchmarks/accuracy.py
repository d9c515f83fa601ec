"""Precision, recall, delay and places over radios, as text and pictures, and quiet days.

Run with `python -m benchmarks.accuracy [--places library] [--radios kind real-shop] [--seeds 20]
[--cleaning whereabouts] [--ordering] [--quiet 10] [--how-many] [--strange] [--levels 0 1] [--folder DIR]`.
Seeds from 1001 on: nothing was tuned to them. What is asked of each figure stands beside it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from app.detection.score import Score, total
from app.place.cleaning_settings import METHODS, WHEREABOUTS
from app.place.radio import PRESETS, RadioDials
from app.place.scenario import Scenario, load
from benchmarks.home_belief import household_errors
from benchmarks.places import PlaceAnswers, PlaceErrors
from benchmarks.whereabouts.how_many import how_many_right
from benchmarks.whereabouts.ordering import CLOCKS, HELD, clocks_only, fall, in_order
from benchmarks.whereabouts.quiet import quiet_days
from benchmarks.whereabouts.strange_radio import Interfered
from simulator.commands.score import measure
from simulator.play import Play
from simulator.trial.accuracy_plot import draw
from simulator.trial.attempt import attempt
from simulator.trial.deciding import DECIDING

HOUR = 3_600_000
LENGTHS = {"store": 2 * HOUR, "ward": 12 * HOUR, "library": 3 * HOUR, "home": 24 * HOUR}
QUIET = {"store": "quiet_day", "library": "quiet_library", "home": "quiet_home"}
FIRST = 1001
THIRD_MISSED = "third-missed"  # for places: 30% of the polls missed, 5% heard next door
RADIOS = {**PRESETS, THIRD_MISSED: RadioDials(misses=0.3, strays=0.05, crossings=0.0)}
STAYS_ASKED = {THIRD_MISSED: 0.95, "real-shop": 0.91}
ASKED = {"kind": 0.99, "real-shop": 0.95, "long-bursts": 0.9, "twice-as-bad": 0.0}  # precision and recall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", nargs="+", choices=LENGTHS, default=list(LENGTHS))
    parser.add_argument("--radios", nargs="+", choices=RADIOS, default=list(PRESETS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--levels", nargs="*", type=float, default=[], help="of noise, as a picture")
    parser.add_argument("--ordering", action="store_true", help="also what clocks and held reports cost")
    parser.add_argument("--quiet", type=int, default=0, metavar="DAYS", help="also so many quiet days")
    parser.add_argument("--how-many", action="store_true", help="also intervals of how many are somewhere")
    parser.add_argument("--strange", action="store_true", help="also with interference")
    parser.add_argument("--cleaning", choices=METHODS, help="instead of the place's own")
    parser.add_argument("--folder", type=Path, default=Path())
    arguments = parser.parse_args()
    seeds = range(FIRST, FIRST + arguments.seeds)
    for name in arguments.places:
        place = _place(name, arguments.cleaning)
        for radio in arguments.radios:
            _all(name, place, radio, seeds, arguments)
        if arguments.levels:
            _draw(name, seeds, arguments.levels, arguments.folder)


def _all(name: str, place: Scenario, radio: str, seeds: range, chosen: argparse.Namespace) -> None:
    """Everything that was asked for of a place under a radio."""
    dials, length = RADIOS[radio], LENGTHS[name]
    scores, places = scored(place, dials, seeds, length)
    _print(f"{name}, {radio}", scores, places, ASKED.get(radio, 0.0))
    if places.stays_right < STAYS_ASKED.get(radio, 0.0):
        print(f"  stays right below {STAYS_ASKED[radio]}", flush=True)
    if chosen.ordering:
        in_turn, _ = scored(place, in_order(dials), seeds, length)
        by_clocks, _ = scored(place, clocks_only(dials), seeds, length)
        print(f"  clocks: {fall(in_turn, by_clocks, CLOCKS)}", flush=True)
        print(f"  held back, at once: {fall(in_turn, scores, HELD)}", flush=True)
    if chosen.strange:
        _print(f"{name}, {radio} with interference", *scored(place, dials, seeds, length, Interfered))
    if chosen.how_many and place.cleaning.method == WHEREABOUTS:
        print(f"  how many: {how_many_right(place, dials, seeds, length)}", flush=True)
    if chosen.quiet and name in QUIET:
        days = range(FIRST, FIRST + chosen.quiet)
        found = quiet_days(_place(QUIET[name], chosen.cleaning), dials, days)
        print(f"  quiet: {found}", flush=True)


def scored(
    place: Scenario, radio: RadioDials, seeds: Iterable[int], length_ms: int, played: type[Play] = Play
) -> tuple[dict[str, Score], PlaceErrors]:
    """The scores of several plays as one, and the mean of their places' errors."""
    scores, errors = [], []
    for seed in seeds:
        play = played(place, seed, radio=radio, length_ms=length_ms, parts=("rates",))
        if place.household:  # nobody lies about on a shelf there: what is believed is asked
            scores.append(attempt(place, play).scores)
            errors.append(household_errors(place, seed, radio, length_ms))
            continue
        answers = PlaceAnswers(place, play.now, length_ms)
        scores.append(attempt(place, play, look=answers).scores)
        errors.append(answers.errors(play.mute))
    means = (fmean(getattr(one, name) for one in errors) for name in PlaceErrors.__dataclass_fields__)
    return total(scores), PlaceErrors(*means)


def _print(what: str, scores: dict[str, Score], places: PlaceErrors, asked: float = 0.0) -> None:
    print(f"{what}: precision, recall, recall of what the deciding reader heard")
    for detector, one in scores.items():
        decides = f" at {DECIDING[detector].kind}" if detector in DECIDING else ""
        delay = "" if one.delay_ms is None else f", typical delay {one.delay_ms / 1000:.0f} s"
        counts = f"{one.right} of {one.right + one.missed} found, {one.false} false"
        unheard = f", {one.unheard} not heard{decides}" if one.unheard else ""
        shares = f"{one.precision:.3f} {one.recall:.3f} {one.recall_of_heard:.3f}"
        short = min(one.precision, one.recall_of_heard) < asked
        bar = f", below {asked}" if short else ""
        print(f"  {detector:20} {shares}  {counts}{unheard}{delay}{bar}", flush=True)
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


def _place(name: str, cleaning: str | None = None) -> Scenario:
    place = load(Path("scenarios") / f"{name}.yaml")
    return replace(place, cleaning=replace(place.cleaning, method=cleaning)) if cleaning else place


if __name__ == "__main__":
    main()
