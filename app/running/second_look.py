"""Looks again, beside the stream, at what readers held back: what follows is told late rather than never."""

from __future__ import annotations

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import detectors
from app import log, store
from app.clock import now_ms
from app.detection.alert import ReportedMatch, alerts
from app.detection.found import FARTHEST_BACK_MS
from app.detection.hindsight import SAME_MS, Difference, look_again
from app.detection.pipeline import Pipeline
from app.running.log_follower import LogFollower
from app.store import Alert, HeldReadings
from app.store.counters import set_to

LOOKED = "second_look"  # the counter that says up to which delivery this is done
SETTLED_MS = 20_000  # a reader that has sent nothing old for so long has delivered everything
FROM_HELD = "It follows from readings that {} had held back."
REFUTED = "{} delivered later what it had held back: with that it does not hold."
_log = logging.getLogger(__name__)


class SecondLook:
    """Call `look` every now and then: one delivery at a time, in a thread of its own. A delivery whose look
    was cut off by a crash is looked at again: ids and closed alerts make that the same."""

    def __init__(self, pipeline: Pipeline, follower: LogFollower) -> None:
        self._pipeline, self._follower = pipeline, follower
        self._worker = ThreadPoolExecutor(1, "second-look")
        self._running: Future[None] | None = None
        if LOOKED not in store.totals(pipeline.engine):  # what was held back before this version is past
            past = [one.until_ms for one in store.list_held(pipeline.engine, 0)]
            self._note(max(past, default=0))

    def look(self) -> None:
        if self._running is not None and not self._running.done():
            return
        if self._running is not None and (error := self._running.exception()) is not None:
            _log.warning("What was held back could not be looked at again: %s", error)
        self._running = None
        due = self._due()
        if due:
            self._running = self._worker.submit(self.consider, due[0])

    def consider(self, delivery: HeldReadings) -> None:
        """Tell and withdraw what the delivery changes, and note that this is done."""
        standing = store.switches(self._pipeline.engine, self._pipeline.scenario.name)
        on = {name for name, one in standing.items() if one.enabled} & detectors.load().keys()
        parameters = {name: standing[name].parameters for name in sorted(on)}
        try:
            changed = look_again(self._pipeline.scenario, self._pipeline.cleaning, parameters, delivery)
            self._withdraw(changed, delivery)
            self._tell(changed, parameters, delivery)
        except log.LogUnreachableError:  # its server is away: later, then
            raise
        except log.LogError as error:  # its past is no longer there: no second try will find it
            _log.warning("What %s held back is not looked at again: %s", delivery.reader, error)
        self._note(delivery.until_ms)

    def _note(self, until_ms: int) -> None:
        with store.writing(self._pipeline.engine) as connection:
            set_to(connection, LOOKED, until_ms)

    def _due(self) -> list[HeldReadings]:
        """The deliveries that are complete and not yet considered, oldest first."""
        engine, arrived_ms = self._pipeline.engine, self._follower.arrived_ms or 0
        done = store.totals(engine).get(LOOKED, 0)
        waiting = [one for one in store.list_held(engine, done + 1) if one.until_ms + SETTLED_MS < arrived_ms]
        return sorted(waiting, key=lambda one: one.until_ms)

    def _withdraw(self, changed: Difference, delivery: HeldReadings) -> None:
        refuted = [alert.id for match in changed.refuted for alert in self._about(match)]
        store.withdraw(self._pipeline.engine, refuted, REFUTED.format(delivery.reader), now_ms())

    def _tell(
        self, changed: Difference, parameters: dict[str, dict[str, object]], delivery: HeldReadings
    ) -> None:
        """Dated by when it could be known; what was told before is not told again."""
        engine = self._pipeline.engine
        fresh = [replace(one, detected_at=delivery.until_ms) for one in changed.told if not self._known(one)]
        silences = store.silences_between(
            engine, min((one.start for one in fresh), default=0) - FARTHEST_BACK_MS, delivery.until_ms
        )
        raised = list(alerts(fresh, self._pipeline.scenario, parameters, silences))
        if store.record_alerts(engine, raised, now_ms()):
            store.remark(engine, [one.id for one in raised], FROM_HELD.format(delivery.reader), now_ms())

    def _known(self, match: ReportedMatch) -> bool:
        low, high = match.end - SAME_MS, match.end + SAME_MS
        asked = store.Filter(detectors=(match.query,), subject=_subject(match), from_ms=low, until_ms=high)
        return store.search(self._pipeline.engine, asked).total > 0

    def _about(self, match: ReportedMatch) -> list[Alert]:
        found = store.open_about(self._pipeline.engine, match.query, [_subject(match)])
        return [one for one in found if abs(one.occurred_ms - match.end) <= SAME_MS]


def _subject(match: ReportedMatch) -> str:
    return detectors.load()[match.query].subject_of(match)
