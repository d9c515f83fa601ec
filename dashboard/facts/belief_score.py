"""How right the belief about a household is, beside what the simulator says is true."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace

from dashboard.context import Context

SURE = 0.9


@dataclass(frozen=True)
class BeliefScore:
    """Of every look at every person: how often the likeliest place was right, how probable the true one was
    held to be, and the same of what was held for at least 90% sure."""

    looks: int = 0
    right: int = 0
    held: float = 0.0
    sure: int = 0
    sure_right: int = 0

    def plus(self, chances: Mapping[str, float], true: str) -> BeliefScore:
        place, likely = max(chances.items(), key=lambda pair: pair[1])
        sure = likely >= SURE
        return replace(
            self,
            looks=self.looks + 1,
            right=self.right + (place == true),
            held=self.held + chances.get(true, 0.0),
            sure=self.sure + sure,
            sure_right=self.sure_right + (sure and place == true),
        )


class BeliefJudge:
    """Looks at every moment once, whoever asks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._looked_ms = 0
        self.score = BeliefScore()

    def look(self, now_ms: int, chances: Mapping[str, Mapping[str, float]], true: Mapping[str, str]) -> None:
        with self._lock:
            if now_ms <= self._looked_ms:
                return
            self._looked_ms = now_ms
            for who, place in true.items():
                if chances.get(who):
                    self.score = self.score.plus(chances[who], place)


_judges: dict[int, tuple[Context, BeliefJudge]] = {}


def judge_of(context: Context) -> BeliefJudge:
    """The one that this process has for what it shows."""
    kept = _judges.get(id(context))
    if kept is None or kept[0] is not context:
        _judges.clear()
        kept = _judges[id(context)] = (context, BeliefJudge())
    return kept[1]
