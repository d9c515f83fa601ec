"""What those do who were staged, step by step: told while it happens, for those who watch a demo."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

Acting = Generator[int, None, None]
BEGUN = "begun"


@dataclass(frozen=True, slots=True)
class StagedDeed:
    """One deed of a story: who does what, where and with which things."""

    story: int
    incident: str
    ts: int
    deed: str
    who: str = ""
    area: str = ""
    things: tuple[str, ...] = ()


class StoryTeller:
    """Notes what happens while somebody who was staged acts; all others act untold."""

    def __init__(self) -> None:
        self._acting: tuple[int, str] | None = None
        self._steps: list[StagedDeed] = []
        self._begun = count(1)

    @property
    def is_told(self) -> bool:
        """Whether who acts now was staged: then nobody should have to wait."""
        return self._acting is not None

    def staged(self, incident: str, agent: Acting, now: int) -> Acting:
        """The same agent, with its deeds told."""
        story = next(self._begun), incident
        self._steps.append(StagedDeed(*story, now, BEGUN))
        return self._told(story, agent)

    def also(self, agent: Acting) -> Acting:
        """Somebody else who acts in the story that is being told, if one is."""
        return agent if self._acting is None else self._told(self._acting, agent)

    def tell(self, now: int, deed: str, who: str, area: str, things: tuple[str, ...]) -> None:
        if self._acting is not None:
            self._steps.append(StagedDeed(*self._acting, now, deed, who, area, things))

    def news(self) -> list[StagedDeed]:
        """What was told since it was last asked for."""
        told, self._steps = self._steps, []
        return told

    def _told(self, story: tuple[int, str], agent: Acting) -> Acting:
        while True:
            with self._as(story):
                wait = next(agent, None)
            if wait is None:
                return
            yield wait

    @contextmanager
    def _as(self, story: tuple[int, str]) -> Iterator[None]:
        before, self._acting = self._acting, story
        try:
            yield
        finally:
            self._acting = before
