"""Where everybody is, as a spectator from above sees it: for those who watch a demo, never for detectors."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from app.place.floor_plan import Area, Point
from simulator.worlds.world import Heading, World

_EDGE = 0.15  # of an area stays free


class Onlooking:
    """Follows people from place to place: who walks is on the straight way there."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._areas = {area.name: area for area in world.scenario.plan.areas}
        self._doors = [area for area in world.scenario.plan.areas if area.kind in ("exit", "door")]
        self._at: dict[str, Point] = {}
        self._left: dict[str, Point] = {}  # where those who walk set out

    def seen(self) -> list[dict[str, Any]]:
        """Everybody who is there, at the world's time."""
        there = {who: area for who, area in self._world.whereabouts.items() if area or not self._is_out(who)}
        self._at = {who: self._point(who, area) for who, area in there.items()}
        self._left = {who: point for who, point in self._left.items() if who in there}
        return [
            {"who": who, "x": round(x, 2), "y": round(y, 2), "area": there[who] or ""}
            | {"carries": len(self._world.carried[who])}
            for who, (x, y) in self._at.items()
        ]

    def _is_out(self, who: str) -> bool:
        """Of a home, where nobody walks between rooms without being in one of them."""
        return self._world.scenario.household is not None and who not in self._world.headings

    def _point(self, who: str, area: str | None) -> Point:
        if area is not None:
            self._left.pop(who, None)
            return _spot(self._areas[area], who)
        heading = self._world.headings.get(who)
        if heading is None:
            return self._at.get(who) or self._entrance(who)
        return self._on_the_way(who, heading)

    def _on_the_way(self, who: str, heading: Heading) -> Point:
        begun = self._left.setdefault(who, self._at.get(who) or self._entrance(who))
        end = _spot(self._areas[heading.area], who)
        done = (self._world.now - heading.start) / max(1, heading.end - heading.start)
        part = min(1.0, max(0.0, done))
        return begun[0] + part * (end[0] - begun[0]), begun[1] + part * (end[1] - begun[1])

    def _entrance(self, who: str) -> Point:
        area = self._doors[0] if self._doors else next(iter(self._areas.values()))
        return _spot(area, who)


def _spot(area: Area, who: str) -> Point:
    """Somebody's own place in an area, so that those who stand there do not cover each other."""
    across, along = (byte / 255 for byte in blake2b(who.encode(), digest_size=2).digest())
    xs, ys = zip(*area.shape, strict=True)
    inner = 1 - 2 * _EDGE
    return (
        min(xs) + (_EDGE + inner * across) * (max(xs) - min(xs)),
        min(ys) + (_EDGE + inner * along) * (max(ys) - min(ys)),
    )
