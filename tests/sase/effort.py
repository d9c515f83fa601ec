"""How hard the property tests try: the same examples on every run of CI, more and others with VIGIL_SOAK."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

FACTOR = int(
    os.environ.get("VIGIL_SOAK", "0")
)  # VIGIL_SOAK=20: twenty times as many examples, and random ones


def examples(count: int) -> settings:
    return settings(
        max_examples=count * max(FACTOR, 1),
        derandomize=FACTOR == 0,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
