"""Guessing passwords is slow: five tries per name, thirty per sender, then a pause."""

from __future__ import annotations

from dashboard.sign_in.attempts import MOST_KEPT, PER_NAME, PER_SENDER, WINDOW_S, Attempts


class Hours:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_sixth_try_at_a_name_must_wait_until_the_window_has_passed() -> None:
    clock = Hours()
    attempts = Attempts(clock)
    assert [attempts.may_try("1.2.3.4", "ada") for _ in range(PER_NAME + 1)] == [True] * PER_NAME + [False]
    clock.now += WINDOW_S
    assert attempts.may_try("1.2.3.4", "ada")


def test_one_sender_cannot_go_through_all_names() -> None:
    attempts = Attempts(Hours())
    tries = [attempts.may_try("1.2.3.4", f"name {number}") for number in range(PER_SENDER + 1)]
    assert tries == [True] * PER_SENDER + [False]
    assert attempts.may_try("5.6.7.8", "ada")


def test_a_right_password_clears_the_count() -> None:
    attempts = Attempts(Hours())
    for _ in range(PER_NAME):
        attempts.may_try("1.2.3.4", "ada")
    attempts.forget("1.2.3.4", "ada")
    assert attempts.may_try("1.2.3.4", "ada")


def test_many_senders_do_not_fill_the_memory() -> None:
    attempts = Attempts(Hours())
    for number in range(MOST_KEPT + 100):
        attempts.may_try(f"sender {number}", "ada")
    assert len(attempts._tries) <= MOST_KEPT
