"""The minutes around an alert: who stood where, and which reader was deaf, at any moment of them."""

from __future__ import annotations

from app import store as stores
from app.store import Move, Silence
from dashboard import moves as replay
from dashboard.context import Place
from dashboard.moves import Stretch
from dashboard.pictures import timeline
from tests.dashboard import seed


def test_a_tag_stands_where_it_last_came_to() -> None:
    moves = (Move("A", 10, "denim", "r1"), Move("A", 20, "fitting", "r2"), Move("B", 30, "exit", "r3"))
    stretch = Stretch(0, 40, moves, (), ("A",))
    assert {tag: one.area for tag, one in replay.standing(stretch, 25).items()} == {"A": "fitting"}
    assert replay.standing(stretch, 30)["B"].area == "exit"


def test_a_reader_is_silent_from_the_beginning_to_the_end_of_its_silence() -> None:
    silences = [Silence("r1", 10, 20), Silence("r2", 15, None)]
    at = {
        moment: [one.silent_since_ms for one in replay.hearing(["r1", "r2"], silences, moment)]
        for moment in (5, 15, 25)
    }
    assert at == {5: [None, None], 15: [10, 15], 25: [None, 15]}


def test_the_alert_of_a_busy_store_is_followed_from_the_fitting_room_to_the_exit(busy: Place) -> None:
    alert = stores.find_alert(busy.store, f"{0:064x}")
    assert alert is not None
    stretch = replay.around(busy.store, alert)
    [tag] = stretch.followed
    seen = [replay.standing(stretch, seed.NOW - minutes * seed.MINUTE)[tag].area for minutes in (4, 2, 0)]
    assert seen == ["denim", "fitting", "main-exit"]


def test_a_long_story_is_shown_by_its_last_quarter_of_an_hour(busy: Place) -> None:
    alert = seed.shoplifting(0, seed.NOW, started_ms=seed.NOW - 12 * 60 * seed.MINUTE)
    stretch = replay.around(busy.store, alert)
    assert stretch.until_ms - stretch.from_ms == replay.LONGEST_MS


def test_the_timeline_shows_events_the_absence_and_who_was_listening(busy: Place) -> None:
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
        "till-1-pad",
        "till-1-pad",
        "till-2-pad",
    ]
    assert shown.traces[0]["x"][1] == "2025-11-17T09:00:00+01:00"
