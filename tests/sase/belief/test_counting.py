"""How many, beside counting one by one."""

from __future__ import annotations

import numpy as np
import pytest

from sase.belief.answers.counting import count, number_of, together


def one_by_one(chances: np.ndarray) -> np.ndarray:
    found = np.ones(1)
    for chance in chances:
        found = np.convolve(found, [1 - chance, chance])
    return found


@pytest.mark.parametrize("size", [0, 1, 64, 65, 1000])
def test_many_are_counted_as_one_by_one(size: int) -> None:
    chances = np.random.default_rng(size).random(size)
    assert number_of(chances) == pytest.approx(one_by_one(chances), abs=1e-12)


def test_what_is_certain_is_only_counted() -> None:
    assert number_of(np.array([1.0, 0.0, 1.0, 0.5])) == pytest.approx([0, 0, 0.5, 0.5, 0])


def test_two_numbers_together() -> None:
    a, b = (np.random.default_rng(seed).random(100) for seed in (1, 2))
    assert together(number_of(a), number_of(b)) == pytest.approx(number_of(np.concatenate([a, b])), abs=1e-12)


def test_the_central_part_leaves_at_most_a_twentieth_on_either_side() -> None:
    found = count(number_of(np.full(100, 0.3)))
    assert found.expected == pytest.approx(30)
    assert sum(found.distribution[: found.low]) < 0.05 <= sum(found.distribution[: found.low + 1])
    assert sum(found.distribution[: found.high]) < 0.95 <= sum(found.distribution[: found.high + 1])
