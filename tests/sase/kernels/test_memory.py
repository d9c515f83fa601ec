"""Large arrays are lent: their memory serves the next one when nobody looks at them any more."""

from __future__ import annotations

import numpy as np
import pytest

from sase.kernels import memory


@pytest.fixture(autouse=True)
def nothing_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_idle", {})


def test_what_has_gone_serves_the_next() -> None:
    first = memory.lent((50_000, 7), np.int64)
    place = first.ctypes.data
    del first
    assert memory.lent((60_000, 6), np.int64).ctypes.data == place


def test_a_view_holds_the_memory() -> None:
    first = memory.lent(100_000, np.int64)
    first[:] = 7
    tail = first[99_000:]
    del first
    other = memory.lent(100_000, np.int64)
    other[:] = 0
    assert (tail == 7).all()


def test_small_ones_are_left_to_the_library() -> None:
    del_me = memory.lent(1_000, np.int64)
    del del_me
    assert memory.idle() == 0


def test_no_more_is_kept_than_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOST_IDLE", 1 << 21)
    several = [memory.lent(1 << 17, np.int64) for _ in range(5)]
    several.clear()
    assert memory.idle() == 1 << 21


def test_sizes_that_nobody_uses_any_more_make_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOST_IDLE", 1 << 21)
    large = memory.lent(1 << 18, np.int64)
    del large
    small = memory.lent(1 << 16, np.int64)
    place = small.ctypes.data
    del small
    assert memory.idle() <= 1 << 21
    assert memory.lent(1 << 16, np.int64).ctypes.data == place


def test_it_is_an_array_like_any_other() -> None:
    array = memory.lent((1 << 10, 1 << 8), np.float64)
    assert array.shape == (1024, 256)
    assert array.dtype == np.float64
    assert array.flags.c_contiguous
    assert array.flags.writeable
    assert array.flags.aligned
