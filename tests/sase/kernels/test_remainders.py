"""Integers modulo one integer in a condition: a block at a time, and exactly what Python says."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

import sase

EDGES = [0, 1, 2**31, 2**52 - 1, 2**52, 2**53, 2**62, 2**63 - 1]


@pytest.mark.parametrize("divisor", [1, 2, 3, 500, 4096, 2**31 - 1, 2**52 - 1, 2**52, 2**62, -7])
def test_the_remainder_is_that_of_python(divisor: int) -> None:
    chance = random.Random(divisor)
    near = [multiple * divisor + off for multiple in (1, -1, 999) for off in (-1, 0, 1)]
    small = [chance.randrange(-(2**50), 2**50) for _ in range(1_500)]
    for values in (small + near, [sign * edge for edge in EDGES for sign in (1, -1)] + near):
        numbers = [number for number in values if -(2**63) <= number < 2**63]
        rest = [number % divisor for number in numbers]
        batch = pa.record_batch(
            {"event": ["A"] * len(numbers), "ts": range(len(numbers)), "n": numbers, "rest": rest}
        )
        found = sase.compile(f"EVENT A x WHERE x.n % {divisor} = x.rest").matcher().push(batch)
        assert len(found) == len(numbers)
        wrong = sase.compile(f"EVENT A x WHERE x.n % {divisor} != x.rest").matcher().push(batch)
        assert not len(wrong)
