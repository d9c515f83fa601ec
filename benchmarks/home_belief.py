"""How right and how honest the belief about a household is, every ten seconds of a play."""

from __future__ import annotations

import numpy as np

from app.cleaning.placed import LEFT_THE_PLACE
from app.cleaning.stream import CleanedStream
from app.place.floor_plan import OUTSIDE
from app.place.household import people
from app.place.radio import RadioDials
from app.place.scenario import Scenario
from app.settings import Settings
from benchmarks.places import SETTLED_S, PlaceErrors, calibration
from simulator.play import Play
from simulator.trial.delivery import Delivery
from simulator.worlds.world import SECOND

_LOOK_MS = 10 * SECOND


def household_errors(place: Scenario, seed: int, radio: RadioDials, length_ms: int) -> PlaceErrors:
    """Everybody moves, so that all are those who moved; what is believed is as old as the stream is late."""
    play = Play(place, seed, radio=radio, length_ms=length_ms, parts=("rates",))
    stream, delivery = CleanedStream(place, Settings.lateness_ms), Delivery(Settings.lateness_ms)
    begun, areas = play.now, [area.name for area in place.plan.areas]
    columns = {name: number for number, name in enumerate(areas)} | {OUTSIDE: len(areas) + LEFT_THE_PLACE}
    rows = {str(one["id"]): int(one["row"]) for one in people(place.items)}
    moves: dict[str, list[tuple[int, str]]] = {who: [] for who in rows}
    sure, right = [], []
    stays: dict[tuple[str, int], list[bool]] = {}
    for scene in play.scenes(_LOOK_MS):
        for who, (where, since) in play.world.truth.household.where.items():
            if not moves[who] or moves[who][-1] != (since, where):
                moves[who].append((since, where))
        if not scene.reports.num_rows:
            continue
        stream.push(delivery.rows(scene.reports, scene.arrives))
        if stream.now < begun + SETTLED_S * SECOND:
            continue
        chances = stream.placed().chances
        for who, row in rows.items():
            since, where = [move for move in moves[who] if move[0] <= stream.now][-1]
            hit = bool(chances[row].argmax() == columns[where])
            sure.append(float(chances[row].max()))
            right.append(hit)
            stays.setdefault((who, since), []).append(hit)
    wrong = 1 - float(np.mean(right))
    off, doubtful = calibration(np.array(sure), np.array(right))
    mostly = [np.mean(each) > 0.5 for each in stays.values()]
    return PlaceErrors(wrong, wrong, float(np.mean(mostly)), off, doubtful)
