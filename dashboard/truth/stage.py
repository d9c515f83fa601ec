"""What a demo's spectators see of the world itself: people with their trails, and staged stories."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

MOST_STORIES = 12
TRAIL = 16  # as many half seconds
_STALE_MS = 5_000


@dataclass(frozen=True)
class Person:
    """Somebody in the place, where the simulator has put them; the trail ends there."""

    who: str
    area: str
    trail: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class StoryStep:
    """A deed; `heard_ms` is when it was told, by this machine's clock."""

    deed: str
    who: str
    area: str
    things: tuple[str, ...]
    ts: int
    heard_ms: int


@dataclass(frozen=True)
class StagedStory:
    """What was staged by one click, or by the demo itself."""

    number: int
    incident: str
    begun_ms: int
    heard_ms: int
    steps: tuple[StoryStep, ...] = ()

    @property
    def subjects(self) -> set[str]:
        """Whom, what and which areas it is about."""
        things = {thing for step in self.steps for thing in step.things}
        return things | {step.who for step in self.steps} | {step.area for step in self.steps}


class DemoStage:
    """Keeps the last stories and where everybody was in the last seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._trails: dict[str, deque[tuple[float, float]]] = {}
        self._areas: dict[str, str] = {}
        self._heard: dict[str, int] = {}
        self._shown_ms = 0
        self._stories: dict[int, StagedStory] = {}

    def show(self, said: Mapping[str, Any], now_ms: int) -> None:
        """Where people are now, and which readers have reported since they were last shown."""
        seen = {str(one["who"]): one for one in said["people"]}
        points = {who: (float(one["x"]), float(one["y"])) for who, one in seen.items()}
        with self._lock:
            self._shown_ms = now_ms
            self._areas = {who: str(one["area"]) for who, one in seen.items()}
            self._trails = {who: self._trails.get(who, deque(maxlen=TRAIL)) for who in seen}
            for who, point in points.items():
                self._trails[who].append(point)
            self._heard |= {str(reader): now_ms for reader in said["heard"]}

    def tell(self, said: Mapping[str, Any], now_ms: int) -> None:
        """One step more of a story."""
        number, incident = int(said["story"]), str(said["incident"])
        step = StoryStep(
            str(said["deed"]),
            str(said["who"]),
            str(said["area"]),
            tuple(map(str, said["things"])),
            int(said["ts"]),
            now_ms,
        )
        with self._lock:
            if step.deed == "begun":
                kept = dict(list(self._stories.items())[1 - MOST_STORIES :])
                self._stories = kept | {number: StagedStory(number, incident, step.ts, now_ms)}
            elif number in self._stories:
                story = self._stories[number]
                self._stories[number] = replace(story, steps=_grown(story.steps, step))

    def people(self, now_ms: int) -> list[Person]:
        """Nobody if the simulator has not shown them lately."""
        with self._lock:
            if now_ms - self._shown_ms > _STALE_MS:
                return []
            return [Person(who, self._areas[who], tuple(trail)) for who, trail in self._trails.items()]

    def heard(self, now_ms: int, within_ms: int = 1_500) -> set[str]:
        """The readers that have reported something in the last moment."""
        with self._lock:
            return {reader for reader, at in self._heard.items() if now_ms - at <= within_ms}

    def stories(self) -> list[StagedStory]:
        """The newest first."""
        with self._lock:
            return list(reversed(self._stories.values()))


def _grown(steps: tuple[StoryStep, ...], step: StoryStep) -> tuple[StoryStep, ...]:
    """What is taken one after the other is one step."""
    last = steps[-1] if steps else None
    if last and (last.deed, last.who, last.area) == (step.deed, step.who, step.area) and step.things:
        return (*steps[:-1], replace(last, things=last.things + step.things, heard_ms=step.heard_ms))
    return (*steps, step)
