"""Spark's Python daemon with the engine in memory: the workers that it forks need not load it again.

A session uses it by `spark.python.daemon.module=sase.spark.daemon`.
"""

from __future__ import annotations

import gc
import sys
from contextlib import redirect_stdout
from importlib import import_module

from pyspark.daemon import manager

import sase

_STACKS = "EVENT SEQ(A x, !(C y), B z) WHERE [id] WITHIN 1 sec"
_RUNS = "EVENT SEQ(A+ a[], !(C y), B z) WHERE skip_till_next_match(a[], z) { [id] } WITHIN 1 sec"


def load() -> None:
    """What a worker needs, and the compiled kernels by using them once."""
    for module in ("pyspark.worker", "sase.spark.input.pack", "sase.spark.bucket.step"):
        import_module(module)
    for text in (_STACKS, _RUNS):
        matcher = sase.compile(text).matcher()
        matcher.push([{"event": kind, "ts": at, "id": 1} for at, kind in enumerate("ACAB")])
        matcher.finish()


if __name__ == "__main__":
    if "pyspark.worker" in sys.argv:  # Spark has other daemons, for data sources, that never match
        with redirect_stdout(sys.stderr):  # Spark reads the daemon's port there
            load()
        gc.freeze()  # what is never freed is never copied into a worker either
    manager()
