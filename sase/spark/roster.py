"""The queries at work in a bucket: the plan's, changed by control rows, their matchers up to date."""

from __future__ import annotations

import time
from collections.abc import Mapping

from sase.spark import control, memory, segments
from sase.spark.control import Rule
from sase.spark.layout import Lane
from sase.spark.memory import Live, Memory
from sase.spark.state import Head, Store
from sase.spark.work import Work


class Roster:
    """Matchers stand as of the bucket's last committed step: remembered, caught up, or begun anew."""

    def __init__(self, work: Work, lane: Lane, head: Head, store: Store) -> None:
        self._work, self._lane, self._head, self._store = work, lane, head, store
        self.replayed = 0
        started = time.perf_counter()
        self._memory = self._remembered()
        self.replay_time = time.perf_counter() - started

    @property
    def live(self) -> Mapping[str, Live]:
        return self._memory.live

    def change(self, text: str) -> None:
        """A control row takes effect: a new query sees the kept past, or only what comes."""
        asked = control.read(text)
        since = 0 if asked.rule is None or asked.rule.primed else self._head.position
        self._head.changes[asked.name] = text, since
        self._memory.live.pop(asked.name, None)
        self._forget_snapshot(asked.name)
        if asked.rule is not None and self._hosts(asked.name, asked.rule):
            begun = memory.begin(asked.name, asked.rule, since)
            self._catch_up([begun], 0)
            self._memory.live[asked.name] = begun

    def save(self, token: str) -> None:
        """Write the snapshots that are missing or outgrown, and remember the matchers under this token."""
        for name, live in self.live.items():
            if live.snapped and (name not in self._head.snapshots or live.outgrown):
                self._forget_snapshot(name)
                self._head.snapshots[name], _ = self._store.write_bytes(self._head, live.saved())
                self._head.bases[name] = live.base = self._head.position
                live.fresh = 0
        self._memory.token, self._memory.position = token, self._head.position
        memory.keep(self._head.lineage, self._memory)

    def _rules(self) -> dict[str, tuple[Rule, int]]:
        rules = {name: (rule, 0) for name, rule in self._work.rules.items()}
        for name, (text, since) in self._head.changes.items():
            asked = control.read(text)
            rules.pop(name, None)
            if asked.rule is not None:
                rules[name] = asked.rule, since
        return {name: found for name, found in rules.items() if self._hosts(name, found[0])}

    def _hosts(self, name: str, rule: Rule) -> bool:
        return self._work.hosts(rule.compiled(name), self._lane)

    def _remembered(self) -> Memory:
        head, rules = self._head, self._rules()
        found = memory.take(head.lineage, head.steps) or Memory({})
        behind = bool(head.steps) and found.token != head.steps[-1][0]
        kept = {
            name: live
            for name, live in found.live.items()
            if (live.rule, live.since) == rules.get(name) and not (behind and self._lost(name, live, found))
        }
        for name, live in kept.items():
            live.base = head.bases.get(name, 0)  # another worker may have written the snapshot
        new = {name: self._begun(name, *rules[name]) for name in rules if name not in kept}
        if behind:
            self._catch_up(list(kept.values()), found.position)
        self._catch_up([live for live in new.values() if not live.snapped], 0)
        for name, live in new.items():
            if name in head.snapshots:
                self._catch_up([live], live.base)
        return Memory({name: kept.get(name) or new[name] for name in rules}, "", head.position)

    def _begun(self, name: str, rule: Rule, since: int) -> Live:
        number = self._head.snapshots.get(name)
        if number is None:
            return memory.begin(name, rule, since)
        begun = memory.begin(name, rule, since, self._store.read_bytes(number))
        begun.base = self._head.bases.setdefault(name, self._head.position)  # older states know no bases
        return begun

    def _lost(self, name: str, live: Live, found: Memory) -> bool:
        """Whether events are gone that it has not seen: they are in its snapshot only."""
        return live.snapped and found.position < self._head.bases.get(name, 0)

    def _catch_up(self, lives: list[Live], position: int) -> None:
        """Replay what is kept from a place on, up to the bucket's present."""
        if not lives:
            return
        for table in segments.since(self._head, self._store, position):
            self.replayed += table.num_rows
            for live in lives:
                live.replay(table)
        if self._head.now is not None:
            for live in lives:
                live.matcher.advance(self._head.now)

    def _forget_snapshot(self, name: str) -> None:
        if (number := self._head.snapshots.pop(name, None)) is not None:
            self._head.bases.pop(name, None)
            self._store.drop([number])
