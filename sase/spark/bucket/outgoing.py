"""What one step of a bucket hands back: matches, rows put aside, and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import sase
from sase.matcher import NOTHING_COUNTED, Counted
from sase.operators.watch import Violation
from sase.spark.bucket.level import Level
from sase.spark.input.columns import CONTROL
from sase.spark.input.fit import Misfit
from sase.spark.output import rows


class Outgoing:
    """Collects the rows of a step; where one voice is enough, only the first bucket speaks."""

    def __init__(self, level: Level, key: int) -> None:
        self._level, self._speaks = level, key == level.first
        self._writer = rows.MatchWriter(level.nested, level.shape)
        self._key = key
        self._matched: dict[str, int] = {}
        self._counted: dict[str, Counted] = {}
        self._pruned: dict[str, int] = {}
        self._early: Counter[str] = Counter()
        self._broken: Counter[str] = Counter()
        self.rows: list[dict[str, Any]] = []
        self.figures = dict.fromkeys(rows.FIGURES, 0)

    def pass_through(self, found: Iterable[dict[str, Any]]) -> None:
        """Rows that an earlier level has put out."""
        self.rows.extend(found)

    def pass_on(self, said: Mapping[str, Any]) -> None:
        """A control row, for the levels to come."""
        if self._speaks and self._level.number < self._level.levels:
            self.rows.append(rows.row("control", ts=said["ts"], reason=said[CONTROL]))

    def refuse(self, said: Mapping[str, Any], reason: str) -> None:
        """A bad row."""
        if self._speaks:
            self.figures["bad"] += 1
            self.rows.append(rows.bad(said, reason))

    def late(self, events: pa.Table) -> None:
        self.figures["late"] = events.num_rows
        self.rows.extend(rows.late(events, self._level.nested))

    def misfits(self, events: pa.Table, misfits: Iterable[Misfit]) -> None:
        """The events with values that some query takes for something else; they are matched, too."""
        reasons: dict[int, list[str]] = {}
        for misfit in misfits:
            for place in _carrying(events, misfit.types, misfit.attribute):
                reasons.setdefault(place, []).append(misfit.reason)
        self.figures["bad"] += len(reasons)
        self.figures["misfit"] += len(reasons)
        for place, found in sorted(reasons.items()):
            (event,) = events.slice(place, 1).to_pylist()
            self.rows.append(rows.misfit(event, self._level.nested, "; ".join(found)))

    def matches(self, name: str, found: sase.Matches) -> None:
        singly = list(rows.singly(found))
        self._matched[name] = self._matched.get(name, 0) + len(singly)
        self._early[name] += sum(match.detected_at < match.ts for match in singly)
        self.rows.extend(self._writer.matched(name, match) for match in singly)

    def counted(self, name: str, more: Counted) -> None:
        """What a query has dropped, and met and could not compare."""
        known = self._counted.get(name, NOTHING_COUNTED)
        self._counted[name] = Counted(*(old + max(0, new) for old, new in zip(known, more, strict=True)))

    def pruned(self, name: str, more: int) -> None:
        """Events of which constraints have left a query no use."""
        self._pruned[name] = self._pruned.get(name, 0) + max(0, more)

    def violations(self, name: str, found: Iterable[Violation]) -> None:
        """What has broken constraints."""
        told = [rows.violation(name, each, self._level.nested) for each in found]
        self.figures["violations"] += len(told)
        self._broken[name] += len(told)
        self.rows.extend(told)

    def raised(self, reasons: Mapping[str, str], now: int | None) -> None:
        """The queries that were put aside."""
        self.figures["bad"] += len(reasons)
        for name, reason in reasons.items():
            self.rows.append(rows.raised(name, self._key, now, reason))

    def time(self, now: int | None) -> None:
        """How far the level's clock has come, for the next level."""
        if self._level.number < self._level.levels and now is not None:
            self.rows.append(rows.row("time", ts=now))

    def deadline(self, at: int | None) -> None:
        """When time alone may bring something about, for whoever lets time pass."""
        if self._level.deadlines and at is not None:
            self.rows.append(rows.row("deadline", ts=at))

    def report(self, matchers: Mapping[str, sase.Matcher]) -> None:
        """The figures of the step, and of each query."""
        self.rows.append(rows.metric(self.figures))
        for name, matcher in matchers.items():
            matched, counted = self._matched.get(name, 0), self._counted.get(name, NOTHING_COUNTED)
            beside = self._pruned.get(name, 0), self._early[name], matcher.live_cases, self._broken[name]
            figures = (matched, matcher.live_matches, matcher.live_events, *counted, *beside)
            self.rows.append(rows.metric(dict(zip(rows.OF_QUERY, figures, strict=True)), name))


def _carrying(events: pa.Table, types: tuple[str, ...], attribute: str) -> list[int]:
    """The places of the events of these types that have the attribute."""
    if attribute not in events.column_names:
        return []
    among = pc.is_in(events["event"].cast(pa.string()), pa.array(types))
    found = pc.and_(among, pc.is_valid(events[attribute]))
    return np.flatnonzero(found.to_numpy()).tolist()
