"""An alert on a line of time: what happened, what did not, and who was listening meanwhile."""

from __future__ import annotations

from app.store import Silence
from dashboard.context import Context
from dashboard.pictures import timeline
from tests.dashboard import seed


def test_the_timeline_shows_events_the_absence_and_who_was_listening(busy: Context) -> None:
    alert = seed.shoplifting(0, seed.NOW)
    silent = Silence("till-1-pad", seed.NOW - 2 * seed.MINUTE, None)
    over = Silence("till-2-pad", seed.NOW - 9 * seed.MINUTE, seed.NOW - 6 * seed.MINUTE)
    shown = timeline.picture(alert, [silent, over], busy)
    rows = [row for trace in shown.traces for row in dict.fromkeys(trace["y"])]
    assert rows == [
        "Seen on a shelf",
        "Seen at an exit",
        "Not seen at a checkout",
        "Not seen at a checkout",
        "Till 1",
        "Till 1",
        "Till 2",
    ]
    assert shown.traces[0]["x"][1] == "2025-11-17T09:00:00+01:00"
