"""What has happened in cases: how many have a type, lack a type beside another, or have one after another."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]
MOST_TYPES = 100
MOST_OPEN = 200_000


class TooManyTypesError(ValueError):
    """More types than pairs of them can be counted."""


class CaseCounts:
    """Of closed cases, by pairs of types: `both` have the two, `after` have the first after the second.

    `both[a, a]` is the number of cases that have an `a`."""

    def __init__(self) -> None:
        self.cases = 0
        self.both = np.zeros((MOST_TYPES, MOST_TYPES), np.int64)
        self.after = np.zeros((MOST_TYPES, MOST_TYPES), np.int64)

    def add(self, first: Mapping[int, int], last: Mapping[int, int]) -> None:
        """A case, by the position of the first and the last event of each of its types."""
        types = np.fromiter(first, np.int64, len(first))
        begun = np.fromiter(first.values(), np.int64, len(first))
        ended = np.array([last[number] for number in first], np.int64)
        where = np.ix_(types, types)
        self.cases += 1
        self.both[where] += 1
        self.after[where] += ended[:, None] > begun[None, :]


class _OpenCase:
    """Where its types came first and last, and when it was heard of last."""

    __slots__ = ("first", "held_back", "last", "ts")

    def __init__(self, held_back: bool) -> None:
        self.held_back = held_back
        self.first: dict[int, int] = {}
        self.last: dict[int, int] = {}
        self.ts = 0


class CaseHistory:
    """Follows cases event by event, in order; one that has been silent for `memory_ms` is closed.

    At most MOST_OPEN are open at a time: beyond that the one silent the longest is closed (`cut_short`)."""

    def __init__(self, memory_ms: int | None, types: frozenset[str] | None = None) -> None:
        self.types: dict[str, int] = {}
        self.learned, self.held_back = CaseCounts(), CaseCounts()
        self.cut_short = 0
        self._memory_ms, self._wanted = memory_ms, types
        self._open: OrderedDict[Any, _OpenCase] = OrderedDict()
        self._position = 0

    def push(self, events: Iterable[tuple[str, int, Any]], *, hold_back: bool) -> None:
        """Events as (type, ts, case). A case that begins while `hold_back` is kept for the check."""
        for type_, ts, case in events:
            if self._wanted is not None and type_ not in self._wanted:
                continue
            self._close_silent(ts)
            number, self._position = self._number(type_), self._position + 1
            found = self._open.get(case)
            if found is None:
                found = self._open[case] = _OpenCase(hold_back)
            else:
                self._open.move_to_end(case)
            found.first.setdefault(number, self._position)
            found.last[number] = self._position
            found.ts = ts
            if len(self._open) > MOST_OPEN:
                self.cut_short += 1
                self._close(self._open.popitem(last=False)[1])

    def finish(self) -> None:
        """The end of the history: what may still go on is not judged, unless nothing ever closes a case."""
        if self._memory_ms is None:
            for case in self._open.values():
                self._close(case)
        self._open.clear()

    def _close_silent(self, ts: int) -> None:
        if self._memory_ms is None:
            return
        while self._open:
            oldest = next(iter(self._open.values()))
            if ts - oldest.ts <= self._memory_ms:
                return
            self._close(self._open.popitem(last=False)[1])

    def _close(self, case: _OpenCase) -> None:
        (self.held_back if case.held_back else self.learned).add(case.first, case.last)

    def _number(self, type_: str) -> int:
        number = self.types.setdefault(type_, len(self.types))
        if number >= MOST_TYPES:
            raise TooManyTypesError(
                f"more than {MOST_TYPES} types of events; name those that matter with --types A,B,C"
            )
        return number
