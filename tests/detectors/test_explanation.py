"""Explanations: plain words over matched events, with nothing evaluated."""

import pytest

from detectors.explanation import fill
from detectors.parameters import spell_duration

EVENTS = {
    "x": {"id": "JEAN-1", "ts": 1_772_438_400_000, "price": 49.5, "note": None},
    "a": [{"id": f"W-{n}", "ts": n * 1000} for n in range(1, 9)],
}


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{x.id}", "JEAN-1"),
        ("{x.time}", "09:00:00"),
        ("{x.price} and {x.note} and {x.nothing}", "49.5 and unknown and unknown"),
        ("{a.count} items: {a.id}", "8 items: W-1, W-2, W-3, W-4, W-5 and 3 more"),
        ("{a.first.id} to {a.last.id}", "W-1 to W-8"),
        ("{$patience}", "15 minutes"),
        ("by {detected.time}", "by 09:30:00"),
        ("{x.__class__}", "unknown"),
        ("{x}", "?"),
        ("{x.id!r:>10}", "?"),
        ("{b.id}", "unknown"),
        ("{}", "?"),
    ],
)
def test_placeholders_are_looked_up_and_never_evaluated(template: str, words: str) -> None:
    values = {"patience": "15 minutes"}
    assert fill(template, EVENTS, values, 1_772_440_200_000, "Europe/Berlin") == words


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (60_000, "1 minute"),
        (900_000, "15 minutes"),
        (5_400_000, "90 minutes"),
        (1500, "1500 ms"),
        (86_400_000, "1 day"),
    ],
)
def test_durations_are_spelled_in_their_largest_whole_unit(length: int, words: str) -> None:
    assert spell_duration(length) == words
