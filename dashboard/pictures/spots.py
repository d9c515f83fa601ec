"""Where on the floor plan a dot is drawn: areas by name, and a spot of its own for every tag inside one."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from app.place.floor_plan import Area, FloorPlan, Point


def find_area(plan: FloorPlan, name: str) -> Area | None:
    """An area by its name or, as explanations have it, its title."""
    return next((area for area in plan.areas if name in (area.name, area.title)), None)


# Bounded: alerts come for months, and each has a spot of its own.
@lru_cache(maxsize=50_000)
def spot(area: Area, tag: str) -> Point:
    """A point inside the area that depends on the tag alone."""
    xs, ys = zip(*area.shape, strict=True)
    for attempt in range(30):
        noise = blake2b(f"{tag} {attempt}".encode(), digest_size=4).digest()
        across, along = (int.from_bytes(part) / 0xFFFF for part in (noise[:2], noise[2:]))
        found = (
            round(min(xs) + (0.06 + 0.88 * across) * (max(xs) - min(xs)), 2),
            round(min(ys) + (0.06 + 0.70 * along) * (max(ys) - min(ys)), 2),
        )
        if inside(found, area.shape):
            return found
    return area.centre


def inside(point: Point, shape: tuple[Point, ...]) -> bool:
    """Even-odd rule: a ray to the right crosses the outline an odd number of times."""
    x, y = point
    sides = zip(shape, (*shape[1:], shape[0]), strict=True)
    crossed = [
        (ax + (y - ay) / (by - ay) * (bx - ax)) > x for (ax, ay), (bx, by) in sides if (ay > y) != (by > y)
    ]
    return sum(crossed) % 2 == 1


def beside(area: Area, number: int) -> Point:
    """Stops of one area side by side instead of on top of each other."""
    x, y = area.centre
    return x + 0.6 * ((number % 3) - 1), y
