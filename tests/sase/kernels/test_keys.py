"""The table of partition keys: whatever the values look like, they do not pile up."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sase.kernels.keys import EMPTY, ENTRY, KeyTable
from sase.kernels.values import FLOAT, INTEGER

COUNT = 5_000
COUNTED = np.arange(COUNT)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (COUNTED, INTEGER),
        (-COUNTED, INTEGER),
        (4 * COUNTED, INTEGER),
        (COUNTED << 32, INTEGER),
        ((COUNTED + 0.5).view(np.int64), FLOAT),
        ((COUNTED % 50 << 32) | COUNTED // 50, INTEGER),
    ],
    ids=["counted", "below zero", "by fours", "high bits", "halves", "pairs"],
)
def test_keys_have_numbers_in_their_order_and_lie_apart(values: NDArray[np.int64], kind: int) -> None:
    table, kinds = KeyTable(1), np.full(COUNT, kind, np.uint8)
    assert np.array_equal(table.number([(values, kinds)]), COUNTED)
    assert np.array_equal(table.number([(values, kinds)]), COUNTED)
    assert table.sole is not None
    free = np.flatnonzero(table.sole.slots[:, ENTRY] == EMPTY)
    assert np.diff(free).max() < 100  # the longest stretch of slots that a search may have to walk
