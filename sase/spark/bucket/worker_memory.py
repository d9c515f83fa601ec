"""The matchers that a Python worker still has in memory from an earlier micro-batch, per bucket."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

import sase
from sase.spark.bucket.query import BucketQuery

_BUCKETS = 4096  # a worker that has seen more forgets those it has not used for longest


@dataclass(slots=True)
class Remembered:
    """All queries of a bucket, the matcher of them all, and the step after which they stand."""

    queries: dict[str, BucketQuery]
    together: sase.SetMatcher
    token: str = ""
    position: int = 0


_buckets: OrderedDict[str, Remembered] = OrderedDict()


def take(lineage: str, steps: Iterable[tuple[str, int]]) -> Remembered | None:
    """What this worker remembers of a bucket, if its state knows that step; a failed task keeps nothing."""
    found = _buckets.pop(lineage, None)
    return found if found is not None and found.token in dict(steps) else None


def keep(lineage: str, remembered: Remembered) -> None:
    _buckets[lineage] = remembered
    if len(_buckets) > _BUCKETS:
        _buckets.popitem(last=False)
