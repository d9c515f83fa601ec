"""The minutes around an alert: who stood where, and which reader was deaf, at any moment of them."""

from __future__ import annotations

from app import store
from app.store import ItemMove, Silence
from dashboard import moves
from dashboard.context import Context
from dashboard.moves import Movements
from tests.dashboard import seed


def test_a_tag_stands_where_it_last_came_to() -> None:
    walked = (
        ItemMove("A", 10, "denim", "r1"),
        ItemMove("A", 20, "fitting", "r2"),
        ItemMove("B", 30, "exit", "r3"),
    )
    movements = Movements(0, 40, walked, (), ("A",))
    assert {tag: one.area for tag, one in moves.positions_at(movements, 25).items()} == {"A": "fitting"}
    assert moves.positions_at(movements, 30)["B"].area == "exit"


def test_a_reader_is_silent_from_the_beginning_to_the_end_of_its_silence() -> None:
    silences = [Silence("r1", 10, 20), Silence("r2", 15, None)]
    at = {
        moment: [one.silent_since_ms for one in moves.readers_at(["r1", "r2"], silences, moment)]
        for moment in (5, 15, 25)
    }
    assert at == {5: [None, None], 15: [10, 15], 25: [None, 15]}


def test_the_alert_of_a_busy_store_is_followed_from_the_fitting_room_to_the_exit(busy: Context) -> None:
    alert = store.find_alert(busy.store, f"{0:064x}")
    assert alert is not None
    movements = moves.around(busy.store, alert)
    [tag] = movements.followed
    seen = [
        moves.positions_at(movements, seed.NOW - minutes * seed.MINUTE)[tag].area for minutes in (4, 2, 0)
    ]
    assert seen == ["denim", "fitting", "main-exit"]


def test_a_long_story_is_shown_by_its_last_quarter_of_an_hour(busy: Context) -> None:
    alert = seed.shoplifting(0, seed.NOW, started_ms=seed.NOW - 12 * 60 * seed.MINUTE)
    movements = moves.around(busy.store, alert)
    assert movements.until_ms - movements.from_ms == moves.LONGEST_MS
