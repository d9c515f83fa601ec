"""What is known of a home before anything is seen: its plan and its household as a model of belief."""

from __future__ import annotations

from app.place.floor_plan import OUTSIDE, FloorPlan, Reader
from app.place.household import Household
from sase import belief
from sase.belief.world.stays import duration

CAMERA_EVERY = "30 seconds"
_LEAST_UNSEEN = 0.01


def model_of(plan: FloorPlan, household: Household) -> belief.Model:
    """Badges are heard in their room and now and then elsewhere; motion between two rooms is a move."""
    return belief.Model(
        places={area.name: area.kind for area in plan.areas} | {OUTSIDE: OUTSIDE},
        moves=plan.moves,
        stays={kind: _stay(kind, plan, household) for kind in household.stays},
        sensors={
            reader.name: sensor
            for reader in plan.readers
            if (sensor := _sensor(reader, plan, household)) is not None
        },
    )


def _stay(kind: str, plan: FloorPlan, household: Household) -> str:
    """How long one stays without being seen to leave: where a motion sensor hangs at every way out, most
    moves are seen, and those are told by it. A Gate's silence is no evidence by itself."""
    places = {area.name for area in plan.areas if area.kind == kind} or {OUTSIDE}
    ways = {frozenset(move) for move in plan.moves if not places.isdisjoint(move)}
    watched = {frozenset(one.between) for one in plan.passages}
    length = duration(household.stays[kind], kind)
    unseen = 1 - household.doorways if ways <= watched else 1.0
    return f"{round(length / max(unseen, _LEAST_UNSEEN))} ms"


def _sensor(reader: Reader, plan: FloorPlan, household: Household) -> belief.Watch | belief.Gate | None:
    if reader.sensor == "rfid":
        every = f"{reader.every_ms} ms"
        return belief.Watch(
            reader.area, hit=household.badges, every=every, stray=_stray(reader, plan, household)
        )
    if reader.sensor == "camera":
        return belief.Watch(reader.area, hit=household.camera, every=CAMERA_EVERY)
    return belief.Gate(reader.between[0], reader.between[1]) if reader.between else None


def _stray(reader: Reader, plan: FloorPlan, household: Household) -> dict[str, float]:
    """A neighbour is who adjoins, or whose badge reader's field overlaps."""
    near = {end for move in plan.moves if reader.area in move for end in move} - {OUTSIDE}
    near |= {other.area for other in plan.neighbours(reader)}
    others = [*(area.name for area in plan.areas), OUTSIDE]
    return {
        name: household.next_door if name in near else household.ghosts
        for name in others
        if name != reader.area
    }
