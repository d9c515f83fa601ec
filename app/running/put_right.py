"""Closes alerts that have put themselves right: what was missing has come after all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import sqlalchemy as sa

import detectors
from app import store
from app.store import Alert
from sase.language.parse import parse
from sase.language.tree import Equivalence
from sase.language.walk import conjuncts, leaves

PUT_RIGHT_SECONDS = 2.0
MOST_REMEMBERED = 100_000

Key = tuple[str, ...]


@dataclass(frozen=True)
class _Rule:
    """What puts a detector's alerts right: events of these kinds in which these attributes are the same."""

    detector: str
    kinds: pa.Array
    same: tuple[str, ...]
    reason: str

    def key(self, event: Mapping[str, Any]) -> Key:
        return (self.detector, *(str(event.get(name)) for name in self.same))


class PutRight:
    """Takes the cleaned events; `look` every now and then compares them with the alerts that are open."""

    def __init__(self, engine: sa.Engine, monotonic_s: Callable[[], float]) -> None:
        self._engine, self._monotonic_s = engine, monotonic_s
        self._looked = monotonic_s()
        self._came: dict[Key, int] = {}  # by detector and what its query wants to be the same

    def take(self, events: pa.RecordBatch) -> None:
        """Remember when what detectors had missed was last there."""
        for rule in _closing():
            told = [name for name in ("ts", *rule.same) if name in events.schema.names]
            came = events.filter(pc.is_in(events["event"], rule.kinds)).select(told)
            for row in came.to_pylist():
                self._remember(rule.key(row), row["ts"])

    def look(self, now_ms: int) -> None:
        if self._monotonic_s() - self._looked < PUT_RIGHT_SECONDS or not self._came:
            return
        self._looked = self._monotonic_s()
        for rule in _closing():
            waiting = store.open_of(self._engine, rule.detector)
            done = [alert.id for alert in waiting if self._is_right(alert, rule)]
            if done:
                store.close_by_rule(self._engine, done, rule.reason, now_ms)

    def _is_right(self, alert: Alert, rule: _Rule) -> bool:
        keys = {rule.key({**seen.attributes, "reader": seen.reader}) for seen in alert.evidence.events}
        return any(self._came.get(key, 0) > alert.occurred_ms for key in keys)

    def _remember(self, key: Key, ts: int) -> None:
        self._came.pop(key, None)
        self._came[key] = ts
        if len(self._came) > MOST_REMEMBERED:
            del self._came[next(iter(self._came))]


def _closing() -> list[_Rule]:
    """The detectors whose alerts can put themselves right."""
    chosen = ((one, one.absent) for one in detectors.load().values())
    return [
        _rule(one.name, one.query, absent.component, absent.put_right)
        for one, absent in chosen
        if absent is not None and absent.put_right
    ]


@lru_cache(maxsize=1_000)
def _rule(name: str, query: str, component: str, reason: str) -> _Rule:
    """Read once: this stands in the way of every event."""
    tree = parse(query)
    kinds = {kind for leaf in leaves(tree.pattern) if leaf.var == component for kind in leaf.types}
    same = [part.attribute for part in conjuncts(tree.condition) if isinstance(part, Equivalence)]
    return _Rule(name, pa.array(sorted(kinds)), tuple(same), reason)
