"""The queries at work in a bucket: those of the call, changed by control rows, their matchers up to date."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from operator import methodcaller

import sase
from sase.spark import control
from sase.spark.bucket import past, worker_memory
from sase.spark.bucket.level import Level
from sase.spark.bucket.query import BucketQuery, begin
from sase.spark.bucket.state import Head, StepState
from sase.spark.bucket.take_over import taken_over
from sase.spark.bucket.worker_memory import Remembered
from sase.spark.control import Rule
from sase.spark.input.lanes import Lane


def standing_rules(level: Level, changes: Mapping[str, tuple[str, int]]) -> dict[str, tuple[Rule, int]]:
    """The rules of the call as control rows have changed them, and since where each one sees."""
    rules = {name: (rule, 0) for name, rule in level.rules.items()}
    for name, (text, since) in changes.items():
        asked = control.read(text, level.limits)
        rules.pop(name, None)
        if asked.rule is not None:
            rules[name] = asked.rule, since
    return rules


class BucketQueries:
    """Matchers stand as of the bucket's last committed step: remembered, caught up, or begun anew."""

    def __init__(self, level: Level, lane: Lane, head: Head, state: StepState) -> None:
        self._level, self._lane, self._head, self._state = level, lane, head, state
        self.replayed = 0
        self.raised: dict[str, str] = {}  # the queries that were put aside in this step, and why
        started = time.perf_counter()
        self._bring_up_to_date()
        self.replay_time = time.perf_counter() - started

    @property
    def by_name(self) -> Mapping[str, BucketQuery]:
        return self._remembered.queries

    @property
    def together(self) -> sase.SetMatcher:
        return self._remembered.together

    def change(self, text: str) -> None:
        """A control row takes effect: a new query sees the kept past, or only what comes."""
        asked = control.read(text, self._level.limits)
        since = 0 if asked.rule is None or asked.rule.primed else self._head.position
        self._head.changes[asked.name] = text, since
        if self._remembered.queries.pop(asked.name, None) is not None:
            self.together.remove(asked.name)
        self._forget_snapshot(asked.name)
        self._head.aside.pop(asked.name, None)
        if asked.rule is not None and self._hosts(asked.name, asked.rule):
            begun = begin(self.together, asked.name, asked.rule, since)
            self._remembered.queries[asked.name] = begun
            self._catch_up({asked.name: begun}, 0)

    def put_aside(self, name: str, error: Exception) -> None:
        """A query that raises is at rest until it is changed."""
        query = self._remembered.queries.pop(name)
        self.together.remove(name)
        self._head.aside[name] = control.written(name, query.rule)
        self._forget_snapshot(name)
        self.raised[name] = f"{type(error).__name__}: {error}"

    def save(self, token: str) -> None:
        """Write the snapshots that are missing or outgrown, and remember the matchers under this token."""
        for name, query in self.by_name.items():
            if query.snapped and (name not in self._head.snapshots or query.outgrown):
                self._forget_snapshot(name)
                self._head.snapshots[name], _ = self._state.write_bytes(self._head, query.saved())
                self._head.bases[name] = query.base = self._head.position
                self._head.snapshot_rules[name] = control.written(name, query.rule)
                query.fresh = 0
        self._remembered.token, self._remembered.position = token, self._head.position
        worker_memory.keep(self._head.lineage, self._remembered)

    def _rules(self) -> dict[str, tuple[Rule, int]]:
        head = self._head
        rules = standing_rules(self._level, head.changes)
        for name, (rule, _) in rules.items():
            if head.aside.get(name, "") != control.written(name, rule):
                head.aside.pop(name, None)
        return {
            name: found
            for name, found in rules.items()
            if name not in head.aside and self._hosts(name, found[0])
        }

    def _hosts(self, name: str, rule: Rule) -> bool:
        return self._level.hosts(rule.compiled(name), self._lane)

    def _bring_up_to_date(self) -> None:
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
        queries = {name: kept.get(name) or new[name] for name in rules}
        self._remembered = Remembered(queries, found.together, "", head.position)
        if behind:
            self._catch_up(kept, found.position)
        self._catch_up({name: query for name, query in new.items() if name not in head.snapshots}, 0)
        for name, query in new.items():
            if name in head.snapshots:
                self._catch_up({name: query}, query.base)

    def _begun(self, found: Remembered, name: str, rule: Rule, since: int) -> BucketQuery:
        written = control.written(name, rule)
        if (standing := self._head.snapshot_rules.get(name, written)) != written:
            before = control.read(standing).rule
            if rule.watches and before is not None and not before.watches:
                self._take_over(name, rule)
            else:
                self._forget_snapshot(name)  # of another rule under this name
        number = self._head.snapshots.get(name)
        if number is None:
            return begin(found.together, name, rule, since)
        begun = begin(found.together, name, rule, since, self._state.read_bytes(number))
        begun.base = self._head.bases.setdefault(name, self._head.position)  # older states know no bases
        return begun

    def _take_over(self, name: str, rule: Rule) -> None:
        """Its cases are what was kept under this name as events."""
        base, old = self._head.bases.get(name), self._state.read_bytes(self._head.snapshots[name])
        self._forget_snapshot(name)
        found = taken_over(old, rule.compiled(name))
        self._head.snapshots[name], _ = self._state.write_bytes(self._head, found)
        self._head.snapshot_rules[name] = control.written(name, rule)
        if base is not None:
            self._head.bases[name] = base

    def _lost(self, name: str, query: BucketQuery, found: Remembered) -> bool:
        """Whether events are gone that it has not seen: they are in its snapshot only."""
        return query.snapped and found.position < self._head.bases.get(name, 0)

    def _catch_up(self, queries: Mapping[str, BucketQuery], position: int) -> None:
        """Replay what is kept from a place on, up to the bucket's present."""
        if not queries:
            return
        for table in past.since(self._head, self._state, position):
            self.replayed += table.num_rows
            self._each(queries, methodcaller("replay", table))
        if (now := self._head.now) is not None:
            self._each(queries, lambda query: query.matcher.advance(now))

    def _each(self, queries: Mapping[str, BucketQuery], act: Callable[[BucketQuery], object]) -> None:
        for name, query in queries.items():
            if name not in self.raised:
                try:
                    act(query)
                except Exception as error:
                    self.put_aside(name, error)

    def _forget_snapshot(self, name: str) -> None:
        if (number := self._head.snapshots.pop(name, None)) is not None:
            self._head.bases.pop(name, None)
            self._head.snapshot_rules.pop(name, None)
            self._state.drop([number])
