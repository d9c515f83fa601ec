"""Writes where everything is for the pages, every now and then."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from app.running.log_follower import LogFollower
from app.whereabouts import written

EVERY_SECONDS = 2.0
_SHARE = 0.01  # of one core's time, at the most: a large place is written more seldom
_log = logging.getLogger(__name__)


class WhereaboutsWriter:
    """`look` every now and then; the pages read what was written last."""

    def __init__(self, follower: LogFollower, path: Path, monotonic_s: Callable[[], float]) -> None:
        self._follower, self._path, self._monotonic_s = follower, path, monotonic_s
        self._next, self._position = 0.0, -1

    def look(self) -> None:
        began = self._monotonic_s()
        if began < self._next or self._position == self._follower.position:
            return
        self._position = self._follower.position
        try:
            written.write(self._path, self._follower.whereabouts())
        except OSError as error:  # a full disk: the stream must go on
            _log.warning("Where things are cannot be written for the pages: %s", error)
        self._next = began + max(EVERY_SECONDS, (self._monotonic_s() - began) / _SHARE)
