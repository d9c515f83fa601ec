"""Where the people of a home probably are, moment by moment, and what is told of it as events.

A function of what was sensed: moments come in order and whole, and time that only passes is looked at on a
fixed grid, so that it does not matter how the log is cut.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from app.cleaning.rooms.keeping import written
from app.cleaning.rooms.model import model_of
from app.cleaning.rooms.sensed import Sensed
from app.place import event_types
from app.place.floor_plan import OUTSIDE
from app.place.household import people
from app.place.scenario import Scenario
from sase import belief

Told = dict[str, Any]
HOME = "home"  # the place of what is told of all rooms together
GRID_MS = 10_000
SAME_LEAK_MS = 600_000  # water that is told again so soon is the same leak
SHOWN_MS = 3_600_000  # for so long after a leak it is told who is where, again and again
PRESENT_MS = 30_000
NEVER = -SHOWN_MS - 1
SAME_MOVE_MS = 600  # a sensor that triggers again so soon has seen the same move


class Rooms:
    """The state of belief, and the little that must be remembered beside it."""

    def __init__(self, scenario: Scenario) -> None:
        assert scenario.household is not None
        self._household, plan = scenario.household, scenario.plan
        self._model = model_of(plan, self._household)
        self._people = {str(one["id"]): {"role": one.get("role")} for one in people(scenario.items)}
        self._kinds = {area.name: area.kind for area in plan.areas}
        self._areas = {reader.name: reader.area for reader in plan.readers}
        self._badge_readers = frozenset(reader.name for reader in plan.with_sensor("rfid"))
        each = (1 - self._household.strangers) / max(len(self._people), 1)
        self._anybody = dict.fromkeys(self._people, each)
        self._begin()

    def _begin(self) -> None:
        self.state = belief.State(self._model, self._people)
        self._tick: int | None = None
        self._leaks: dict[str, int] = {}
        self._moves: dict[str, int] = {}
        self._leaked = NEVER
        self._empty = False
        self.seen: dict[str, tuple[int, str]] = {}  # when and by which reader each was last recognised
        self.told: dict[str, tuple[str, int]] = {}  # where each was last told to be, and since when

    def moment(self, ts: int, sensed: Sequence[Sensed]) -> Iterator[Told]:
        """All that was sensed at one moment."""
        yield from self.until(ts)
        leaks: list[Told] = []
        for one in sensed:
            leaks += self._take(one)
        yield from self._changes(ts)
        yield from leaks
        if any(told["event"] == event_types.LEAK for told in leaks):
            self._leaked = ts
            yield from self._present(ts + 1)  # a sequence needs one after the other

    def until(self, ts: int) -> Iterator[Told]:
        """Time has passed: everything before `ts` has been told."""
        if self._tick is None:
            self._tick = ts // GRID_MS * GRID_MS + GRID_MS
        while self._tick < ts:
            self.state.advance(self._tick)
            yield from self._changes(self._tick)
            if self._tick - self._leaked <= SHOWN_MS and self._tick % PRESENT_MS == 0:
                yield from self._present(self._tick)
            self._tick += GRID_MS

    def parts(self) -> dict[str, bytes]:
        """All that must be kept."""
        facts = {
            "people": sorted(self._people),
            "tick": self._tick,
            "leaks": self._leaks,
            "moves": self._moves,
            "leaked": self._leaked,
            "empty": self._empty,
            "seen": self.seen,
            "told": self.told,
        }
        return {"facts": written(facts), "belief": self.state.snapshot()}

    def restore(self, parts: dict[str, bytes]) -> None:
        """Take up where others have stopped; if other people live here now, begin anew."""
        facts = json.loads(parts["facts"])
        if facts["people"] != sorted(self._people):
            self._begin()
            return
        self.state = belief.State.resume(self._model, parts["belief"])
        self._tick, self._empty, self._leaked = facts["tick"], facts["empty"], facts["leaked"]
        self._leaks, self._moves = facts["leaks"], facts["moves"]
        self.seen = {who: (ts, reader) for who, (ts, reader) in facts["seen"].items()}
        self.told = {who: (place, ts) for who, (place, ts) in facts["told"].items()}

    def _take(self, one: Sensed) -> Iterator[Told]:
        if one.kind == "leak":
            yield from self._leak(one)
        elif one.kind == "motion":
            yield from self._motion(one)
        elif one.kind == "guess":
            self.state.see([{"ts": one.ts, "sensor": one.reader, "entities": one.said["entities"]}])
        elif one.kind == "reading" and one.who is not None:
            self.state.see([{"ts": one.ts, "sensor": one.reader, "entity": one.who}])
            self.seen[one.who] = (one.ts, one.reader)
        elif one.reader in self._badge_readers:
            self.state.alive(one.reader, one.ts)

    def _leak(self, one: Sensed) -> Iterator[Told]:
        before, self._leaks[one.reader] = self._leaks.get(one.reader), one.ts
        if before is None or one.ts - before >= SAME_LEAK_MS:
            yield self._told(event_types.LEAK, one.ts, place=self._areas[one.reader], reader=one.reader)

    def _motion(self, one: Sensed) -> Iterator[Told]:
        """Somebody moved, of the household or not."""
        to = one.said.get("to")
        key = f"{one.reader} {to}"
        before, self._moves[key] = self._moves.get(key), one.ts
        if before is None or one.ts - before >= SAME_MOVE_MS:
            self.state.see([{"ts": one.ts, "sensor": one.reader, "to": to, "entities": self._anybody}])
            yield self._told(event_types.MOTION, one.ts, place=to, reader=one.reader)

    def _changes(self, ts: int) -> Iterator[Told]:
        for change in self.state.changes(self._household.above, self._household.below):
            who, place = change["entity"], change["place"]
            if change["event"] == event_types.ENTERED:
                self.told[who] = (place, ts)
            yield self._told(change["event"], ts, place=place, entity=who, prob=change["prob"])
        yield from self._whether_empty(ts)

    def _whether_empty(self, ts: int) -> Iterator[Told]:
        """Whether nobody is home; asked exactly only where what is known of each leaves that open."""
        above, below = self._household.above, self._household.below
        out = [self.state.is_in(who, OUTSIDE) for who in self._people]
        if min(out) < above if not self._empty else 1 - sum(1 - each for each in out) >= below:
            return
        empty = self.state.how_many(*self._kinds).distribution[0]
        if not self._empty and empty >= above:
            self._empty = True
            yield self._told(event_types.EMPTY, ts, place=HOME, prob=empty)
        elif self._empty and empty < below:
            self._empty = False
            yield self._told(event_types.OCCUPIED, ts, place=HOME, prob=1 - empty)

    def _present(self, ts: int) -> Iterator[Told]:
        """Who is in which room now: asked for where it matters, with what is believed at that moment."""
        for who in self._people:
            place, sure = next(iter(self.state.where(who).items()))
            if place != OUTSIDE:
                yield self._told(event_types.PRESENT, ts, place=place, entity=who, prob=sure)

    def _told(self, event: str, ts: int, *, place: str | None, **said: Any) -> Told:
        area = place if place in self._kinds else None
        room = self._kinds.get(area or "", place)
        sure = min(float(said.pop("prob", 1.0)), 1.0)
        return {"event": event, "ts": ts, "place": place, "room": room, "area": area, "prob": sure, **said}
