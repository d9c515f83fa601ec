"""What goes wrong in a home, staged for those who watch: at once, where life would take its time."""

from __future__ import annotations

from collections.abc import Sequence

from app.place.floor_plan import OUTSIDE
from simulator.worlds.home import Home
from simulator.worlds.home_incidents import spill, stranger
from simulator.worlds.world import MINUTE, SECOND, Agent

_AFTER = 20 * SECOND  # that those who were told what to do go on so, once it is known
_EMPTY = 12 * SECOND  # until it is believed that nobody is home


def unheard_leak(home: Home) -> Agent:
    """Seniors who are near the display leave it, and then there is water."""
    living = home.room("living")
    length = home.world.truth.setting("leak_untold", "patience") + _AFTER
    home.avoid[living] = home.world.now + length + MINUTE
    near = [who for who in home.seniors() if home.at[who] == living]
    yield from _all_go(home, near, home.room("bedroom"))
    spill(home)
    yield length
    _let_go(home, near)


def fall(home: Home) -> Agent:
    """Somebody who is not there yet goes to the bathroom and does not come out."""
    bathroom = home.room("bathroom")
    others = [who for who in home.idle(list(home.roles)) if home.at[who] != bathroom]
    inside = [who for who in others if home.at[who] != OUTSIDE]
    if not others:
        return
    who = home.world.rng.choice(inside or others)
    yield from _all_go(home, [who], bathroom)
    yield home.world.truth.setting("long_in_bathroom", "patience") + _AFTER
    yield from home.walk(who, home.room("living"))
    home.let_go(who)


def intruder(home: Home) -> Agent:
    """Everybody goes out, and soon somebody else comes in, looks round and goes."""
    household = list(home.roles)
    yield from _all_go(home, household, OUTSIDE)
    yield _EMPTY
    yield from stranger(home)
    yield 2 * MINUTE
    _let_go(home, household)


def _all_go(home: Home, people: Sequence[str], place: str) -> Agent:
    """All at once, as far as doorways let them."""
    for who in people:
        home.world.begin(home.world.stories.also(_goes(home, who, place)))
    while not all(home.at[who] == place and who in home.directed for who in people):
        yield SECOND


def _goes(home: Home, who: str, place: str) -> Agent:
    yield from home.take_over(who)
    if home.at[who] != place:
        yield from home.walk(who, place)


def _let_go(home: Home, people: Sequence[str]) -> None:
    for who in people:
        home.let_go(who)
