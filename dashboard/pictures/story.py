"""The minutes around an alert as the replay plays them: who was where when, and which readers were silent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from app.place.floor_plan import FloorPlan
from app.store import Alert
from dashboard.facts.moves import Movements
from dashboard.pictures.spots import find_area, spot

_BEFORE_MS = 10_000


def story(
    alert: Alert, movements: Movements, plan: FloorPlan, ticks: Sequence[tuple[int, str]]
) -> dict[str, Any]:
    """`ticks` are the moments to jump to, with what happened then."""
    first = min((at for at, _ in ticks), default=alert.occurred_ms)
    return {
        "key": alert.id,
        "from": movements.from_ms,
        "until": movements.until_ms,
        "begins": max(movements.from_ms, first - _BEFORE_MS),
        "occurred": min(max(alert.occurred_ms, movements.from_ms), movements.until_ms),
        "moving": list(_moving(alert, movements, plan)),
        "readers": list(_readers(movements, plan)),
        "ticks": [{"at": at, "words": words} for at, words in ticks if at >= movements.from_ms],
    }


def _moving(alert: Alert, movements: Movements, plan: FloorPlan) -> Iterator[dict[str, Any]]:
    stops: defaultdict[str, list[tuple[int, float, float]]] = defaultdict(list)
    for move in movements.moves:
        area = find_area(plan, move.area)
        if area is not None:
            stops[move.tag].append((move.at_ms, *spot(area, move.tag)))
    for tag, mine in stops.items():
        followed = tag in movements.followed
        yield {"name": alert.subject if followed else "", "followed": followed, "stops": mine}


def _readers(movements: Movements, plan: FloorPlan) -> Iterator[dict[str, Any]]:
    for reader in plan.readers:
        silent = [
            (one.from_ms, one.until_ms) for one in movements.silences if one.reader in (reader.name, "")
        ]
        yield {"name": reader.name, "x": reader.at[0], "y": reader.at[1], "silent": silent}
