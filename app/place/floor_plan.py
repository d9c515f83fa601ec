"""The floor plan of a place: areas with a shape and a kind, and the readers that watch them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot

from detectors.document import Entry, Section

Point = tuple[float, float]
SENSORS = ("rfid", "barcode", "motion", "camera", "leak")
SIDES = ("inside", "outside")
OUTSIDE = "outside"  # where people are who are in none of the rooms
# What shows that a reader works: what it reads at any time, a status now and then, a tag that is always in
# its field; or nothing, while nobody passes.
SIGNS = ("readings", "heartbeat", "tag", "none")
SHELF, DOOR = "shelf", "door"
WAYS_OUT = ("exit", DOOR)  # kinds of area behind which nothing is heard any more
_PASSED = ("counter", "exit", "fitting", "door", "returns")  # kinds of area in which nothing lies for long
_REACH, _EVERY_MS = 1.0, 1000  # of a sensor that tells what happens instead of asking around
_READER_FIELDS = ("area", "at", "sensor", "side", "between", "reach", "every", "antennas", "alive")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Area:
    """Its kind decides the type of the events seen in it: kind `shelf` gives SHELF-READING and SHELF-LEFT."""

    name: str
    title: str
    kind: str
    shape: tuple[Point, ...]

    @property
    def centre(self) -> Point:
        xs, ys = zip(*self.shape, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)


@dataclass(frozen=True, slots=True)
class Reader:
    """`every_ms`: how often it reads a tag that stays in its field; `reach`: how far it hears, in metres;
    `side`: on which side of a door a motion sensor looks, or `between` which two rooms it hangs;
    `alive`: what shows that it works."""

    name: str
    area: str
    at: Point
    reach: float
    every_ms: int
    antennas: int
    sensor: str = "rfid"
    side: str = ""
    alive: str = "readings"
    between: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FloorPlan:
    """`moves`: which rooms adjoin, where people are followed from room to room."""

    width: float
    height: float
    areas: tuple[Area, ...]
    readers: tuple[Reader, ...]
    moves: tuple[tuple[str, str], ...] = ()

    def area(self, name: str) -> Area:
        return next(area for area in self.areas if area.name == name)

    def of_kind(self, kind: str) -> tuple[Area, ...]:
        return tuple(area for area in self.areas if area.kind == kind)

    def with_sensor(self, sensor: str) -> tuple[Reader, ...]:
        return tuple(reader for reader in self.readers if reader.sensor == sensor)

    def areas_with(self, sensor: str) -> tuple[Area, ...]:
        """The areas in which there is such a sensor."""
        names = {reader.area for reader in self.with_sensor(sensor)}
        return tuple(area for area in self.areas if area.name in names)

    @property
    def doors(self) -> tuple[Area, ...]:
        """The areas that motion sensors look at from both sides."""
        names = {reader.area for reader in self.readers if reader.side}
        return tuple(area for area in self.areas if area.name in names)

    @property
    def passages(self) -> tuple[Reader, ...]:
        """The motion sensors between two rooms."""
        return tuple(reader for reader in self.readers if reader.between)

    def without_sign(self) -> frozenset[str]:
        """The readers of which nobody can say whether they work while they read nothing."""
        return frozenset(reader.name for reader in self.readers if reader.alive == "none")

    def neighbours(self, reader: Reader) -> tuple[Reader, ...]:
        """The readers that may overhear this one's tags, because their fields overlap."""
        others = (other for other in self.with_sensor("rfid") if other.area != reader.area)
        return tuple(other for other in others if _distance(reader.at, other.at) < reader.reach + other.reach)


def parse(section: Section) -> FloorPlan:
    section.only("size", "areas", "readers", "moves")
    width, height = _pair(section.need("size"))
    areas = tuple(_area(name, entry) for name, entry in section.section("areas").items())
    readers = tuple(_reader(name, entry, areas) for name, entry in section.section("readers").items())
    if not areas or not readers:
        section.fault("a plan needs at least one area and one reader")
    plan = FloorPlan(width, height, areas, readers, tuple(_moves(section, areas)))
    _check_doors(section, plan)
    _check_passages(section, plan)
    return plan


def _moves(section: Section, areas: tuple[Area, ...]) -> Iterator[tuple[str, str]]:
    """Pairs of rooms that adjoin."""
    for entry in section.entries("moves"):
        ends = [end.choice([OUTSIDE, *(area.name for area in areas)]) for end in entry.entries()]
        if len(ends) != 2 or ends[0] == ends[1]:
            entry.fault("two rooms that adjoin expected, such as [hall, living]")
        else:
            yield ends[0], ends[1]


def _check_passages(section: Section, plan: FloorPlan) -> None:
    """Cameras that guess, leaks, and motion between rooms are for places where people are followed."""
    known = {frozenset(move) for move in plan.moves}
    for reader in plan.readers:
        if reader.between and frozenset(reader.between) not in known:
            ends = " and ".join(reader.between)
            section.fault(f"reader {reader.name!r} hangs between {ends}, which do not adjoin: see 'moves'")
        elif reader.sensor in ("camera", "leak") and not plan.moves:
            section.fault(f"reader {reader.name!r} needs a plan that says in 'moves' which rooms adjoin")


def _check_doors(section: Section, plan: FloorPlan) -> None:
    """Which way somebody goes is told by a gate and a motion sensor on either side of it."""
    for area in plan.doors:
        here = [reader for reader in plan.readers if reader.area == area.name]
        sides = {reader.side for reader in here}
        if not sides.issuperset(SIDES) or not any(reader.sensor == "rfid" for reader in here):
            section.fault(
                f"area {area.name!r} has a motion sensor: it needs an RFID reader too, "
                "and a motion sensor with side inside and one with side outside"
            )


def _area(name: str, entry: Entry) -> Area:
    fields = entry.section().only("title", "kind", "shape")
    kind = fields.text("kind")
    for word in (name, kind):
        if not _NAME.fullmatch(word):
            entry.fault(f"{word!r}: names and kinds are lower-case words joined by hyphens")
    return Area(name, fields.text("title"), kind, _shape(fields.need("shape")))


def _shape(entry: Entry) -> tuple[Point, ...]:
    """A rectangle `[x, y, width, height]` or a polygon `[[x, y], [x, y], ...]`."""
    parts = entry.entries()
    if len(parts) == 4 and not any(isinstance(part.data, list) for part in parts):
        x, y, width, height = (part.number() for part in parts)
        return (x, y), (x + width, y), (x + width, y + height), (x, y + height)
    if len(parts) < 3:
        entry.fault("a shape is [x, y, width, height] or a list of at least three corners [x, y]")
    return tuple(_pair(part) for part in parts) or ((0.0, 0.0),)


def _reader(name: str, entry: Entry, areas: tuple[Area, ...]) -> Reader:
    fields = entry.section().only(*_READER_FIELDS)
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        entry.fault(f"{name!r}: a reader's name is part of an MQTT topic: letters, digits, '-', '_' and '.'")
    sensor, alive = fields.get("sensor"), _alive(fields, areas)
    area, at = fields.need("area").choice([area.name for area in areas]), _pair(fields.need("at"))
    if sensor is not None and sensor.choice(SENSORS) != "rfid":
        return _sensor(Reader(name, area, at, _REACH, _EVERY_MS, 1, alive=alive), sensor.text(), fields)
    antennas = fields.get("antennas")
    every = fields.need("every").duration()
    if every < 1:
        fields.fault("a reader reads 'every' so many seconds: more than none")
    return Reader(
        name=name,
        area=area,
        at=at,
        reach=fields.need("reach").number(minimum=0.1),
        every_ms=max(every, 1),
        antennas=antennas.whole(minimum=1) if antennas else 1,
        alive=alive,
    )


def _alive(fields: Section, areas: tuple[Area, ...]) -> str:
    """Where nothing lies for long a quiet reader may be a dead one, unless the file says what
    shows that it works."""
    if (given := fields.get("alive")) is not None:
        return given.choice(SIGNS)
    sensor, area = fields.get("sensor"), fields.get("area")
    kinds = {area.name: area.kind for area in areas}
    passed = area is not None and kinds.get(str(area.data)) in _PASSED
    return "none" if passed or (sensor is not None and sensor.data != "rfid") else "readings"


def _sensor(reader: Reader, sensor: str, fields: Section) -> Reader:
    """A scanner, a camera, a leak sensor; or a motion sensor, which looks to one side of its door or hangs
    between two rooms."""
    fields.only("area", "at", "sensor", "alive", *(["side", "between"] if sensor == "motion" else []))
    if sensor == "motion" and (ends := fields.get("between")) is not None:
        return replace(reader, sensor=sensor, between=tuple(end.text() for end in ends.entries()))
    side = fields.need("side").choice(SIDES) if sensor == "motion" else ""
    return replace(reader, sensor=sensor, side=side)


def _pair(entry: Entry) -> Point:
    parts = entry.entries()
    if len(parts) != 2:
        entry.fault("two numbers expected: [x, y] in metres")
        return 0.0, 0.0
    return parts[0].number(), parts[1].number()


def _distance(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
