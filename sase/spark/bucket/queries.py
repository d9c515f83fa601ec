"""The queries at work in a bucket: those of the call, changed by control rows, their matchers up to date."""

from __future__ import annotations

import time
from collections.abc import Mapping

import sase
from sase.spark import control
from sase.spark.bucket import past, worker_memory
from sase.spark.bucket.level import Level
from sase.spark.bucket.query import BucketQuery, begin
from sase.spark.bucket.state import BucketState, Head
from sase.spark.bucket.worker_memory import Remembered
from sase.spark.control import Rule
from sase.spark.input.lanes import Lane


class BucketQueries:
    """Matchers stand as of the bucket's last committed step: remembered, caught up, or begun anew."""

    def __init__(self, level: Level, lane: Lane, head: Head, state: BucketState) -> None:
        self._level, self._lane, self._head, self._state = level, lane, head, state
        self.replayed = 0
        started = time.perf_counter()
        self._remembered = self._up_to_date()
        self.replay_time = time.perf_counter() - started

    @property
    def by_name(self) -> Mapping[str, BucketQuery]:
        return self._remembered.queries

    @property
    def together(self) -> sase.SetMatcher:
        return self._remembered.together

    def change(self, text: str) -> None:
        """A control row takes effect: a new query sees the kept past, or only what comes."""
        asked = control.read(text)
        since = 0 if asked.rule is None or asked.rule.primed else self._head.position
        self._head.changes[asked.name] = text, since
        if self._remembered.queries.pop(asked.name, None) is not None:
            self.together.remove(asked.name)
        self._forget_snapshot(asked.name)
        if asked.rule is not None and self._hosts(asked.name, asked.rule):
            begun = begin(self.together, asked.name, asked.rule, since)
            self._catch_up([begun], 0)
            self._remembered.queries[asked.name] = begun

    def save(self, token: str) -> None:
        """Write the snapshots that are missing or outgrown, and remember the matchers under this token."""
        for name, query in self.by_name.items():
            if query.snapped and (name not in self._head.snapshots or query.outgrown):
                self._forget_snapshot(name)
                self._head.snapshots[name], _ = self._state.write_bytes(self._head, query.saved())
                self._head.bases[name] = query.base = self._head.position
                query.fresh = 0
        self._remembered.token, self._remembered.position = token, self._head.position
        worker_memory.keep(self._head.lineage, self._remembered)

    def _rules(self) -> dict[str, tuple[Rule, int]]:
        rules = {name: (rule, 0) for name, rule in self._level.rules.items()}
        for name, (text, since) in self._head.changes.items():
            asked = control.read(text)
            rules.pop(name, None)
            if asked.rule is not None:
                rules[name] = asked.rule, since
        return {name: found for name, found in rules.items() if self._hosts(name, found[0])}

    def _hosts(self, name: str, rule: Rule) -> bool:
        return self._level.hosts(rule.compiled(name), self._lane)

    def _up_to_date(self) -> Remembered:
        head, rules = self._head, self._rules()
        found = worker_memory.take(head.lineage, head.steps) or Remembered({}, sase.SetMatcher({}))
        behind = bool(head.steps) and found.token != head.steps[-1][0]
        kept = {
            name: query
            for name, query in found.queries.items()
            if (query.rule, query.since) == rules.get(name)
            and not (behind and self._lost(name, query, found))
        }
        for name in found.queries.keys() - kept.keys():
            found.together.remove(name)
        for name, query in kept.items():
            query.base = head.bases.get(name, 0)  # another worker may have written the snapshot
        new = {name: self._begun(found, name, *rules[name]) for name in rules if name not in kept}
        if behind:
            self._catch_up(list(kept.values()), found.position)
        self._catch_up([query for query in new.values() if not query.snapped], 0)
        for name, query in new.items():
            if name in head.snapshots:
                self._catch_up([query], query.base)
        queries = {name: kept.get(name) or new[name] for name in rules}
        return Remembered(queries, found.together, "", head.position)

    def _begun(self, found: Remembered, name: str, rule: Rule, since: int) -> BucketQuery:
        number = self._head.snapshots.get(name)
        if number is None:
            return begin(found.together, name, rule, since)
        begun = begin(found.together, name, rule, since, self._state.read_bytes(number))
        begun.base = self._head.bases.setdefault(name, self._head.position)  # older states know no bases
        return begun

    def _lost(self, name: str, query: BucketQuery, found: Remembered) -> bool:
        """Whether events are gone that it has not seen: they are in its snapshot only."""
        return query.snapped and found.position < self._head.bases.get(name, 0)

    def _catch_up(self, queries: list[BucketQuery], position: int) -> None:
        """Replay what is kept from a place on, up to the bucket's present."""
        if not queries:
            return
        for table in past.since(self._head, self._state, position):
            self.replayed += table.num_rows
            for query in queries:
                query.replay(table)
        if self._head.now is not None:
            for query in queries:
                query.matcher.advance(self._head.now)

    def _forget_snapshot(self, name: str) -> None:
        if (number := self._head.snapshots.pop(name, None)) is not None:
            self._head.bases.pop(name, None)
            self._state.drop([number])
