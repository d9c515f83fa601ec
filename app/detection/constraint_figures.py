"""What constraints have spared the detectors so far, from the matcher's figures; kept now and then."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from app import store

_EVERY_MS = 5_000
_log = logging.getLogger(__name__)


class ConstraintFigures:
    """Costs a look at a few rows of a micro-batch, and the store a write every few seconds at most, if
    anything has changed. After a crash up to so many seconds of it are missing."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._grown: Counter[tuple[str, str]] = Counter()
        self._cases: dict[str, int] = {}
        self._known: dict[str, int] = {}
        self._kept_ms = 0

    def note(self, rows: Iterable[Mapping[str, Any]], now_ms: int) -> None:
        """The rows of kind `metric` of one micro-batch."""
        cases: Counter[str] = Counter()
        for row in rows:
            if row["query"] is not None:
                figures = json.loads(row["attributes"])
                cases[row["query"]] += figures.get("cases") or 0
                self._grown.update({(row["query"], name): figures.get(name) or 0 for name in store.SPARED})
        self._cases |= cases
        if now_ms - self._kept_ms >= _EVERY_MS:
            self._keep(now_ms)

    def _keep(self, now_ms: int) -> None:
        grown = {which: amount for which, amount in self._grown.items() if amount}
        cases = {name: count for name, count in self._cases.items() if count != self._known.get(name, 0)}
        if not grown and not cases:
            return
        try:
            store.record_spared(self._engine, grown, cases)
        except sa.exc.DBAPIError as error:
            _log.warning("What constraints spare could not be noted: %s", error.orig)
            return
        self._grown.clear()
        self._known |= cases
        self._kept_ms = now_ms
