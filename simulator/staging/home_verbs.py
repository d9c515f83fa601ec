"""What the sentences of a script mean in a home."""

from __future__ import annotations

from app.place.floor_plan import OUTSIDE
from sase.language.duration import milliseconds
from simulator.staging.cast import Cast
from simulator.staging.library_verbs import Verb, Words
from simulator.worlds import home_incidents
from simulator.worlds.home import Home
from simulator.worlds.world import MINUTE, Agent


def go_to(home: Home, who: str, place: str, stay: int = 0) -> Agent:
    """There, and then left to themselves; with `stay`, so long not."""
    if who not in home.roles:
        raise LookupError(f"nobody here is called {who}")
    yield from home.take_over(who)
    if home.at[who] != place:
        yield from home.walk(who, place)
    yield stay
    home.let_go(who)


def _come_home(cast: Cast, words: Words) -> Agent:
    home = _home(cast)
    yield from go_to(home, words["person"], home.room("living"))


def _go_out(cast: Cast, words: Words) -> Agent:
    yield from go_to(_home(cast), words["person"], OUTSIDE)


def _stay(cast: Cast, words: Words) -> Agent:
    length = milliseconds(words["length"]) or MINUTE
    yield from go_to(_home(cast), words["person"], words["area"], length)


def _leak(cast: Cast, words: Words) -> Agent:
    yield from home_incidents.leak(_home(cast), words["area"])


def _stranger(cast: Cast, _words: Words) -> Agent:
    yield from home_incidents.stranger(_home(cast))


def _home(cast: Cast) -> Home:
    if cast.home is None:
        raise ValueError("that happens in a home")
    return cast.home


HOME_VERBS: dict[str, Verb] = {
    "come_home": _come_home,
    "go_out": _go_out,
    "stay": _stay,
    "leak": _leak,
    "stranger": _stranger,
}
