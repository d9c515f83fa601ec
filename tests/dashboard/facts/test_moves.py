"""The minutes around an alert: who came where when, and which reader was silent."""

from __future__ import annotations

from app import store
from app.store import ItemMove, Silence
from dashboard.context import Context
from dashboard.facts import moves
from dashboard.facts.moves import Movements
from dashboard.pictures.story import story
from tests.dashboard import seed


def test_a_story_tells_where_each_tag_came_to_when_and_which_reader_was_silent() -> None:
    walked = (
        ItemMove("A", 10, "denim", "r1"),
        ItemMove("B", 15, "nowhere", "r1"),
        ItemMove("A", 20, "fitting", "r2"),
        ItemMove("C", 30, "main-exit", "r3"),
    )
    silences = (Silence("till-1-pad", 10, 20), Silence("", 15, None))
    movements = Movements(0, 40, walked, silences, ("A",))
    alert = seed.shoplifting(0, 35)
    told = story(alert, movements, seed.shop().plan, [(20, "tried on"), (-5, "too early")])
    where = {one["followed"]: [at for at, _, _ in one["stops"]] for one in told["moving"]}
    assert where == {True: [10, 20], False: [30]}
    assert [tick["words"] for tick in told["ticks"]] == ["tried on"]
    silent = {one["name"]: one["silent"] for one in told["readers"]}
    assert silent["till-1-pad"] == [(10, 20), (15, None)]  # Vigil itself was deaf too
    assert silent["till-2-pad"] == [(15, None)]


def test_the_alert_of_a_busy_store_is_followed_from_the_fitting_room_to_the_exit(busy: Context) -> None:
    alert = store.find_alert(busy.store, f"{0:064x}")
    assert alert is not None
    movements = moves.around(busy.store, alert)
    [tag] = movements.followed
    assert [move.area for move in movements.moves if move.tag == tag] == ["denim", "fitting", "main-exit"]


def test_a_long_story_is_shown_by_its_last_quarter_of_an_hour(busy: Context) -> None:
    alert = seed.shoplifting(0, seed.NOW, started_ms=seed.NOW - 12 * 60 * seed.MINUTE)
    movements = moves.around(busy.store, alert)
    assert movements.until_ms - movements.from_ms == moves.LONGEST_MS
