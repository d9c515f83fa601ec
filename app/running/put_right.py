"""Closes alerts that have put themselves right: what was missing has come after all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import sqlalchemy as sa

import detectors
from app import store
from app.store import Alert
from detectors.detector import Detector
from sase.language.tree import Equivalence
from sase.language.walk import conjuncts, leaves

PUT_RIGHT_SECONDS = 2.0
MOST_REMEMBERED = 100_000

Key = tuple[str, ...]


class PutRight:
    """Takes the cleaned events; `look` every now and then compares them with the alerts that are open."""

    def __init__(self, engine: sa.Engine, monotonic_s: Callable[[], float]) -> None:
        self._engine, self._monotonic_s = engine, monotonic_s
        self._looked = monotonic_s()
        self._came: dict[Key, int] = {}  # by detector and what its query wants to be the same

    def take(self, events: pa.RecordBatch) -> None:
        """Remember when what detectors had missed was last there."""
        for detector in _closing():
            wanted = pc.is_in(events["event"], pa.array(sorted(_types(detector))))
            for row in events.filter(wanted).to_pylist():
                self._remember(_key(detector, row), row["ts"])

    def look(self, now_ms: int) -> None:
        if self._monotonic_s() - self._looked < PUT_RIGHT_SECONDS or not self._came:
            return
        self._looked = self._monotonic_s()
        for detector in _closing():
            assert detector.absent is not None
            waiting = store.open_of(self._engine, detector.name)
            done = [alert.id for alert in waiting if self._is_right(alert, detector)]
            if done:
                store.close_by_rule(self._engine, done, detector.absent.put_right, now_ms)

    def _is_right(self, alert: Alert, detector: Detector) -> bool:
        keys = {_key(detector, dict(seen.attributes)) for seen in alert.evidence.events}
        return any(self._came.get(key, 0) > alert.occurred_ms for key in keys)

    def _remember(self, key: Key, ts: int) -> None:
        self._came.pop(key, None)
        self._came[key] = ts
        if len(self._came) > MOST_REMEMBERED:
            del self._came[next(iter(self._came))]


def _closing() -> Iterator[Detector]:
    """The detectors whose alerts can put themselves right."""
    return (one for one in detectors.load().values() if one.absent is not None and one.absent.put_right)


def _types(detector: Detector) -> set[str]:
    assert detector.absent is not None
    component = detector.absent.component
    return {kind for leaf in leaves(detector.tree().pattern) if leaf.var == component for kind in leaf.types}


def _key(detector: Detector, event: dict[str, Any]) -> Key:
    """What the query wants to be the same in both."""
    parts = conjuncts(detector.tree().condition)
    names = [part.attribute for part in parts if isinstance(part, Equivalence)]
    return (detector.name, *(str(event.get(name)) for name in names))
