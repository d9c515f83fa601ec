"""Where the logs of all sites end, asked side by side: one that does not answer keeps nobody waiting."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

from app import log
from app.log_address import LogAddress, address
from app.spark.sites.standing import StandingSite, StandingSites

OTHERS_WAIT_S = 0.5  # after which the others go on
AFTER_FAILURE_S = 10.0  # one that could not be asked
AT_ONCE = 8
_log = logging.getLogger(__name__)


class LogEnds:
    """Of those sites that stand in the file."""

    def __init__(self, path: Path, access: Mapping[str, str]) -> None:
        self._standing, self._access = StandingSites(path), access
        self._pool = ThreadPoolExecutor(AT_ONCE, "ends")
        self._asked: dict[str, Future[tuple[int, int]]] = {}
        self._known: dict[str, tuple[int, int]] = {}
        self._failed: dict[str, float] = {}

    def sites(self) -> dict[str, StandingSite]:
        return self._standing.by_key()

    def begin(self, key: str) -> int:
        """Where the log of a site begins that is read for the first time."""
        known = self._known.get(key)
        return known[0] if known else self._ask(self._address(self.sites()[key]))[0]

    def look(self, start: Mapping[str, int]) -> dict[str, int]:
        """Where each one ends; one that does not say stays where the batch before has ended, or out."""
        sites, now_s = self.sites(), time.monotonic()
        for key, site in sites.items():
            if key not in self._asked and now_s - self._failed.get(key, -AFTER_FAILURE_S) >= AFTER_FAILURE_S:
                self._asked[key] = self._pool.submit(self._ask, self._address(site))
        wait(self._asked.values(), OTHERS_WAIT_S)
        for key in [key for key, asked in self._asked.items() if asked.done()]:
            self._take(key, self._asked.pop(key))
        ends = {key: self._known[key][1] for key in sites if key in self._known}
        return {key: start[key] for key in sites if key in start} | {
            key: max(end, start.get(key, 0)) for key, end in ends.items()
        }

    def _take(self, key: str, asked: Future[tuple[int, int]]) -> None:
        error = asked.exception()
        if error is None:
            self._known[key] = asked.result()
            self._failed.pop(key, None)
        else:
            self._failed[key] = time.monotonic()
            _log.warning("The log of %s does not say where it ends, the others go on: %s", key, error)

    def _address(self, site: StandingSite) -> LogAddress:
        return address(site.log, self._access)

    def _ask(self, where: LogAddress) -> tuple[int, int]:
        return log.earliest(where), log.end(where)
