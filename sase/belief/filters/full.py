"""The full filter: every entity is brought to every moment, exactly; what is kept, what is told."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import astuple

from sase.belief.filters import snapshot
from sase.belief.filters.belief import Belief, Tie
from sase.belief.filters.intake import BeliefIntake, Entry
from sase.belief.filters.smoothing import smoothed
from sase.belief.filters.snapshot import Parts
from sase.belief.filters.steps import Step
from sase.belief.filters.telling import Change, Telling
from sase.belief.world.motion import Floats

FOREVER = 2**62
TRACED = 1_000_000  # numbers of distributions that wait to be asked for changes


class FullFilter:
    """`keep`: so many milliseconds back, what was seen is kept; None keeps nothing."""

    def __init__(self, belief: Belief, intake: BeliefIntake, telling: Telling, keep: int | None) -> None:
        self._intake, self._keep = intake, keep
        self._now = belief
        self._base = belief.copied()  # as it was before what is kept
        self._kept: deque[Entry] = deque()
        self._telling = telling
        self._trace: list[tuple[int, list[Step], Floats, list[Tie]]] = []
        self._changes: list[Change] = []

    @staticmethod
    def of_one(belief: Belief, intake: BeliefIntake) -> FullFilter:
        """One that keeps everything, to look back on."""
        telling = Telling(belief.motion, belief.hearing, belief.alone, 1.0, 0.0)
        return FullFilter(belief, intake, telling, FOREVER)

    @property
    def clock(self) -> int | None:
        return self._now.clock

    def belief(self) -> Belief:
        return self._now

    def marginal(self, entity: int) -> Floats:
        return self._now.marginal(entity)

    def take(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._intake.take(self._now, entry)
            self._note(entry.ts)
            if self._keep is not None:
                self._kept.append(entry)
                self._forget(entry.ts - self._keep)

    def at(self, entity: int, ts: int) -> Floats:
        """Where it was, over hidden states, with all that was seen since."""
        then = self._base.copied()
        early = [entry for entry in self._kept if entry.ts <= ts]
        for entry in early:
            self._intake.take(then, entry)
        then.advance(ts)
        later = then.copied()
        for entry in list(self._kept)[len(early) :]:
            self._intake.take(later, entry)
        return smoothed(then, later.steps, entity)

    def earliest(self) -> int | None:
        """The first moment that can be asked for."""
        first = self._kept[0].ts if self._kept else self._now.clock
        return first if self._base.clock is None else self._base.clock

    def changes(self, above: float, below: float) -> list[Change]:
        self._telling.above, self._telling.below = above, below
        self._tell()
        found, self._changes = self._changes, []
        return found

    def parts(self) -> Parts:
        """All that it needs to go on; what happened so far is told by the limits that hold now."""
        self._tell()
        facts = {
            "above": self._telling.above,
            "below": self._telling.below,
            "kept": [snapshot.entry_facts(entry) for entry in self._kept],
            "changes": [astuple(change) for change in self._changes],
            "tied": {str(e): list(tie.members) for e, tie in self._telling.tied.items()},
        }
        arrays = {"given": self._telling.given, "told": self._telling.told}
        arrays |= {f"tied{e}": tie.joint for e, tie in self._telling.tied.items()}
        now, base = (snapshot.belief_parts(belief) for belief in (self._now, self._base))
        return snapshot.together((facts, arrays), snapshot.under("now", now), snapshot.under("base", base))

    def restore(self, parts: Parts) -> None:
        facts, arrays = parts
        self._telling.above, self._telling.below = facts["above"], facts["below"]
        self._telling.given, self._telling.told = arrays["given"].copy(), arrays["told"].copy()
        tied = facts["tied"].items()
        self._telling.tied = {int(e): Tie(tuple(each), arrays[f"tied{e}"]) for e, each in tied}
        self._kept = deque(snapshot.entry_of(entry) for entry in facts["kept"])
        self._changes = [Change(*change) for change in facts["changes"]]
        snapshot.restore_belief(self._now, snapshot.of("now", parts))
        snapshot.restore_belief(self._base, snapshot.of("base", parts))

    def _note(self, ts: int) -> None:
        """Of several sightings at one moment only where they lead is a change."""
        steps = self._now.steps
        self._now.steps = []
        if self._trace and self._trace[-1][0] == ts:
            steps = self._trace.pop()[1] + steps
        ties = [Tie(tie.members, tie.joint) for tie in self._now.ties]
        self._trace.append((ts, steps, self._now.marginals(), ties))
        if len(self._trace) * (self._now.alone.size + sum(tie.joint.size for tie in ties)) > TRACED:
            self._tell()

    def _tell(self) -> None:
        for ts, steps, believed, ties in self._trace:
            self._telling.follow(steps)
            self._changes += self._telling.changes(believed, ties, ts)
        self._trace = []

    def _forget(self, before: int) -> None:
        while self._kept and self._kept[0].ts < before:
            self._intake.take(self._base, self._kept.popleft())
        self._base.steps = []
