"""Pauses between attempts."""

from __future__ import annotations

from app.backoff import Backoff


def test_each_pause_is_twice_the_one_before_up_to_the_longest() -> None:
    backoff = Backoff(0.5, 3.0)
    assert [backoff.next_s() for _ in range(5)] == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_after_a_success_the_pauses_begin_again() -> None:
    backoff = Backoff(0.5, 3.0)
    backoff.next_s()
    backoff.reset()
    assert backoff.next_s() == 0.5
