"""A living world: people come and things go wrong at random, so many an hour."""

from __future__ import annotations

from app.place.simulation import Simulation, midnight
from simulator.staging.cast import Cast
from simulator.worlds.world import MINUTE, Agent

_HOUR = 60 * MINUTE
_SETTLE = 3 * MINUTE  # everything has been read at least twice by then
_EVERYDAY = (
    *("shopper", "restock", "misplace_briefly", "as_needed_dose"),
    *("patron", "turbo", "couple", "return_books", "reshelve", "misplace_book_briefly"),
)


def populate(cast: Cast, simulation: Simulation, stop: int | None) -> None:
    """Begin an agent for every rate; incidents stop at `stop`, early enough for all to be found out."""
    for role, per_hour in simulation.rates.items():
        if per_hour > 0:
            until = None if role in _EVERYDAY else stop
            # Where everybody is quicker, more must come for as many to be there.
            often = per_hour / cast.world.haste**0.5 if role in _EVERYDAY else per_hour
            cast.world.begin(_arrivals(cast, role, often, simulation, until), cast.world.now + _SETTLE)


def _arrivals(cast: Cast, role: str, per_hour: float, simulation: Simulation, stop: int | None) -> Agent:
    world = cast.world
    while True:
        yield round(world.rng.expovariate(per_hour) * _HOUR)
        if stop is not None and world.now >= stop:
            return
        if _is_open(world.now, simulation, world.scenario.timezone):
            world.begin(cast.agent(role))


def _is_open(now: int, simulation: Simulation, timezone: str) -> bool:
    """Open, and not about to close: who comes later than half an hour before stays out."""
    moment = now - midnight(now, timezone)
    return simulation.opens <= moment and (
        moment < simulation.closes - _HOUR // 2 or simulation.closes >= 24 * _HOUR
    )
