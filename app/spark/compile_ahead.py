"""Compiles the kernels of the queries, once per machine, before Spark's workers ask for them."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from threading import Thread

from sase.spark import Rule

_log = logging.getLogger(__name__)
NOTICEABLE_SECONDS = 2.0


class KernelCompilation:
    """A thread: Java starts in the meantime."""

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        self._rules = rules
        self._thread = Thread(target=self._compile, name="compiling", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        self._thread.join()

    def _compile(self) -> None:
        began = time.monotonic()
        for name, rule in self._rules.items():
            rule.compiled(name).matcher().push([{"event": "WARMING", "ts": 0}])
        seconds = time.monotonic() - began
        if seconds > NOTICEABLE_SECONDS:
            _log.info("Compiled the matching kernels in %.0f s; the next start finds them ready.", seconds)
