"""The world as it is: where every tag is and who carries it, moved by agents in simulated time."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from random import Random

import numpy as np
import numpy.typing as npt

from app.place.scenario import Scenario
from simulator.truth.deeds import Truth
from simulator.worlds.stories import StoryTeller

Agent = Generator[int, None, None]  # yields the milliseconds it waits before its next act
Column = npt.NDArray[np.int64]
NOWHERE = -1
SECOND = 1000
MINUTE = 60 * SECOND


@dataclass(frozen=True, slots=True)
class Presences:
    """Which tag was in the field of which area's readers, from when (which may be before `begun`) to when;
    and which readers were down.

    Before which motion sensors somebody moved, from when to when, which rows were scanned by whom, and
    which tags somebody has set out with."""

    tag: Column
    area: Column
    start: Column
    end: Column
    begun: int
    until: int
    outages: tuple[tuple[int, int, int], ...] = ()
    motions: tuple[tuple[int, int, int], ...] = ()  # reader, start, end
    scans: tuple[tuple[int, int, int], ...] = ()  # reader, row, moment
    walks: tuple[tuple[int, int], ...] = ()  # tag, moment
    passes: tuple[tuple[int, int, int], ...] = ()  # sensor between two rooms, which of them, moment
    spills: tuple[tuple[int, int, int], ...] = ()  # leak sensor, start, end
    strangers: tuple[tuple[int, int, int], ...] = ()  # area, start, end


@dataclass(frozen=True, slots=True)
class Heading:
    """Where somebody is walking, from when to when."""

    area: str
    start: int
    end: int


class World:
    """Agents act through it, so that nothing moves without being seen by the radios and the truth."""

    def __init__(self, scenario: Scenario, rng: Random, start: int) -> None:
        self.scenario, self.rng, self.now = scenario, rng, start
        self.truth = Truth(scenario)
        self.areas = {area.name: index for index, area in enumerate(scenario.plan.areas)}
        self.kinds = {area.name: area.kind for area in scenario.plan.areas}
        self.rows = {name: scenario.items.column(name).to_pylist() for name in scenario.items.column_names}
        self.tag_of = {name: index for index, name in enumerate(self.rows["id"])}
        self.place = np.full(scenario.items.num_rows, NOWHERE, np.int64)
        self.reserved: set[int] = set()  # chance leaves these alone
        self.mute: set[int] = set()  # tags that never answer: what is staged leaves these alone, too
        self.tills_stay_open = False  # although their reader is down
        self.carried: dict[str, list[int]] = defaultdict(list)
        self.whereabouts: dict[str, str | None] = {}
        self.headings: dict[str, Heading] = {}  # of those who walk
        self.stories = StoryTeller()
        self.haste = 1.0  # of it people take their time; less in a demo
        self._arrived: dict[str, int] = {}
        self._held = np.zeros(scenario.items.num_rows, bool)
        self._hidden: set[int] = set()
        self._departed: dict[int, int] = {}  # when each was carried out, for the last time
        self._since = np.full(scenario.items.num_rows, start, np.int64)
        self._closed: list[tuple[int, int, int, int]] = []
        self._agents: list[tuple[int, int, Agent]] = []
        self._numbers = count()
        self._readers = {reader.name: index for index, reader in enumerate(scenario.plan.readers)}
        self._outages: list[tuple[int, int, int]] = []
        self._motions: list[tuple[int, int, int]] = []
        self._scans: list[tuple[int, int, int]] = []
        self._walks: list[tuple[int, int]] = []
        self._passes: list[tuple[int, int, int]] = []
        self._spills: list[tuple[int, int, int]] = []
        self._strangers: list[tuple[int, int, int]] = []
        self._begun = start

    def begin(self, agent: Agent, at: int | None = None) -> None:
        heapq.heappush(self._agents, (self.now if at is None else at, next(self._numbers), agent))

    def run(self, until: int) -> Presences:
        """Let every agent act until then, and say who was where meanwhile."""
        while self._agents and self._agents[0][0] < until:
            self.now, _, agent = heapq.heappop(self._agents)
            self.truth.advance(self.now)
            wait = next(agent, None)
            if wait is not None:
                self.begin(agent, self.now + max(wait, 1))
        self.now = until
        self.truth.advance(until)
        return self._presences(until)

    def name(self, prefix: str) -> str:
        """A name that nobody has had."""
        return f"{prefix}-{next(self._numbers) + 100}"

    def at(self, area: str) -> list[int]:
        """What lies there for the taking."""
        return np.flatnonzero((self.place == self.areas[area]) & ~self._held).tolist()

    def put(self, tag: int, area: str | None) -> None:
        """Lay a tag down in an area, or out of reach of every reader."""
        self._move(tag, NOWHERE if area is None else self.areas[area])

    def take(self, who: str, tag: int) -> None:
        self._tell("takes", who, self.whereabouts.get(who), tag)
        self.carried[who].append(tag)
        self._held[tag] = True
        self.truth.picked_up(tag, self.now)

    def put_down(self, who: str, tag: int, area: str) -> None:
        self.carried[who].remove(tag)
        self._held[tag] = False
        self._hidden.discard(tag)
        self.put(tag, area)
        self._tell("puts", who, area, tag)
        self.truth.put_down(tag, area, self.now)

    def go(self, who: str, area: str | None) -> None:
        """Walk into an area, or out of every reader's field, with everything that is carried."""
        left = self.whereabouts.get(who)
        self.headings.pop(who, None)
        if area is not None:
            self._tell("arrives", who, area)
        if left is not None and left != area:
            self.truth.walked_off(self.carried[who], left, self.now)
        self.whereabouts[who], self._arrived[who] = area, self.now
        shown = [tag for tag in self.carried[who] if tag not in self._hidden]
        if area is None:
            self._walks += [(tag, self.now) for tag in shown if self.place[tag] != NOWHERE]
        for tag in shown:
            self.put(tag, area)

    def head_for(self, who: str, area: str, length: int) -> None:
        """Say where somebody is walking, and for how long."""
        self.headings[who] = Heading(area, self.now, self.now + length)
        self._tell("walks", who, area)

    def lift(self, who: str, tag: int, area: str) -> None:
        """Somebody lifts a thing that is kept there."""
        self._tell("lifts", who, area, tag)
        self.put(tag, area)

    def _tell(self, deed: str, who: str, area: str | None, *tags: int) -> None:
        self.stories.tell(self.now, deed, who, area or "", tuple(self.rows["id"][tag] for tag in tags))

    def hide(self, who: str, tag: int) -> None:
        """Shield a tag from every reader."""
        self._tell("hides", who, self.whereabouts.get(who), tag)
        self._hidden.add(tag)
        self.put(tag, None)
        self.truth.hid(tag, self.whereabouts[who], self.now)

    def pay(self, who: str) -> None:
        self._tell("pays", who, self.whereabouts.get(who))
        self.truth.paid(self.carried[who])

    def leave(self, who: str) -> None:
        """Out through the door, with whatever is carried."""
        visible = [tag for tag in self.carried[who] if tag not in self._hidden]
        self.truth.left_store(visible, self._arrived.get(who, self.now))
        self._departed |= dict.fromkeys(visible, self.now)
        self.vanish(who)

    def gone_for(self, length: int) -> list[int]:
        """What was carried out, by everyone to be seen, so long ago."""
        return [tag for tag, since in self._departed.items() if self.now - since > length]

    def copy(self, tag: int) -> None:
        """A second tag with the number of one that is gone lies on its shelf; nobody takes it away."""
        del self._departed[tag]
        self.reserved.add(tag)
        self._held[tag] = False
        self.put(tag, self.rows["home"][tag])
        self._tell("copies", "", self.rows["home"][tag], tag)
        self.truth.copied(tag, self.now)

    def vanish(self, who: str) -> None:
        """Out of sight, with whatever is carried."""
        self._tell("leaves", who, self.whereabouts.get(who))
        self.headings.pop(who, None)
        for tag in self.carried.pop(who, []):
            self.put(tag, None)
        self.whereabouts.pop(who, None)
        self._arrived.pop(who, None)

    def stir(self, sensor: str, length: int) -> None:
        """Somebody moves before a motion sensor, from now on for so long."""
        self._motions.append((self._readers[sensor], self.now, self.now + length))

    def scan(self, scanner: str, row: int) -> None:
        """A barcode is held before a scanner."""
        self._scans.append((self._readers[scanner], row, self.now))

    def pass_by(self, sensor: str, to: str) -> None:
        """Somebody goes from one room to another, past the sensor between them."""
        number = self._readers[sensor]
        side = self.scenario.plan.readers[number].between.index(to)
        self._passes.append((number, side, self.now))

    def spill(self, sensor: str, length: int) -> None:
        """There is water at a leak sensor, from now on for so long."""
        self._spills.append((self._readers[sensor], self.now, self.now + length))
        self.stories.tell(self.now, "spills", sensor, self._area_of(sensor), ())

    def linger(self, area: str, length: int) -> None:
        """Somebody without a badge is in an area, from now on for so long."""
        self._strangers.append((self.areas[area], self.now, self.now + length))
        self.stories.tell(self.now, "enters", "", area, ())

    def fail(self, reader: str, length: int) -> None:
        """A reader goes down, now, for so long."""
        self._outages.append((self._readers[reader], self.now, self.now + length))
        self.stories.tell(self.now, "fails", reader, self._area_of(reader), ())
        self.truth.reader_down(reader, self.now, length)

    def mend(self, reader: str) -> None:
        """A reader that is down is up again, now."""
        index = self._readers[reader]
        self._outages = [
            (one, start, min(end, self.now) if one == index else end) for one, start, end in self._outages
        ]
        self.truth.reader_up(reader, self.now)

    def _area_of(self, reader: str) -> str:
        return self.scenario.plan.readers[self._readers[reader]].area

    def is_watched(self, area: str) -> bool:
        """Whether all its readers are up."""
        down = {index for index, start, end in self._outages if start <= self.now < end}
        readers = self.scenario.plan.readers
        return not any(readers[index].area == area for index in down)

    def _move(self, tag: int, place: int) -> None:
        before = int(self.place[tag])
        if before != NOWHERE:
            self._closed.append((tag, before, int(self._since[tag]), self.now))
        self.place[tag], self._since[tag] = place, self.now

    def _presences(self, until: int) -> Presences:
        closed = np.array(self._closed, np.int64).reshape(-1, 4)
        tags = np.flatnonzero(self.place != NOWHERE)
        opened = np.column_stack([tags, self.place[tags], self._since[tags], np.full(len(tags), until)])
        begun, self._closed, self._begun = self._begun, [], until
        self._outages = [outage for outage in self._outages if outage[2] > begun]
        self._motions = [motion for motion in self._motions if motion[2] > begun]
        scans, self._scans = self._scans, []
        walks, self._walks = self._walks, []
        tag, area, start, end = np.concatenate([closed, opened]).T
        passes, self._passes = self._passes, []
        self._spills = [spill for spill in self._spills if spill[2] > begun]
        self._strangers = [stay for stay in self._strangers if stay[2] > begun]
        signals = tuple(self._outages), tuple(self._motions), tuple(scans), tuple(walks)
        at_home = tuple(passes), tuple(self._spills), tuple(self._strangers)
        return Presences(tag, area, start, end, begun, until, *signals, *at_home)
