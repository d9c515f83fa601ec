"""What goes wrong in a home: water, a fall in the bathroom, somebody who does not live there."""

from __future__ import annotations

from app.place.floor_plan import OUTSIDE
from simulator.worlds.home import Home
from simulator.worlds.walking import between
from simulator.worlds.world import MINUTE, SECOND, Agent

_WET = 8 * MINUTE  # how long a leak is told, unless it is dried up
_DRYING = 15 * MINUTE  # until water at the same sensor is another leak
_SPARE = 4 * MINUTE  # beyond a detector's patience


def leak(home: Home, area: str | None = None) -> Agent:
    """Water, and a senior who is home soon comes to the display."""
    if not spill(home, area):
        return
    free = [who for who in home.idle(home.seniors()) if home.at[who] != OUTSIDE]
    living = home.room("living")
    if free and not any(home.at[who] == living for who in home.seniors()):
        who = home.world.rng.choice(free)
        yield from home.take_over(who)
        yield between(home.world, 20, 90)
        yield from home.walk(who, living)
        yield between(home.world, 3, 6, MINUTE)
        home.let_go(who)
    yield SECOND


def unheard_leak(home: Home) -> Agent:
    """Water, and for a long time no senior comes near the display."""
    world, living = home.world, home.room("living")
    length = world.truth.setting("leak_untold", "patience") + _SPARE
    while not _keep_away(home, living, length):
        yield 10 * SECOND
    yield 2 * MINUTE
    spill(home)


def fall(home: Home) -> Agent:
    """Somebody goes to the bathroom and does not come out for long."""
    world, bathroom = home.world, home.room("bathroom")
    while bathroom in home.at.values() or not (free := _may_fall(home)):
        yield 10 * SECOND
    who = world.rng.choice(free)
    yield from home.take_over(who)
    yield from home.walk(who, bathroom)
    yield world.truth.setting("long_in_bathroom", "patience") + between(world, 4, 10, MINUTE)
    yield from home.walk(who, home.room("living"))
    home.let_go(who)


def intruder(home: Home) -> Agent:
    """Everybody is out, and somebody else comes in, looks round and goes."""
    world = home.world
    household = list(home.roles)
    for who in household:
        yield from home.take_over(who)
    for who in [who for who in household if home.at[who] != OUTSIDE]:
        yield from home.walk(who, OUTSIDE)
    yield between(world, 10, 30, MINUTE)
    yield from stranger(home)
    yield between(world, 8, 15, MINUTE)
    for who in household:
        home.let_go(who, between(world, 1, 60, MINUTE))


def stranger(home: Home) -> Agent:
    """In by the front door, through the rooms and out again."""
    world, here = home.world, OUTSIDE
    hall = home.room("hall")
    if not home.inside():
        world.truth.household.intruded(world.now)
    for there in (hall, home.room("living"), hall, home.room("bedroom"), hall, OUTSIDE):
        yield from home.pass_through(here, there)
        here, stay = there, between(world, 4, 9) if there == hall else between(world, 40, 90)
        if there != OUTSIDE:
            world.linger(there, stay)
        yield stay


def spill(home: Home, area: str | None = None) -> bool:
    """Whether there is a sensor that has been dry for long."""
    world = home.world
    sensors = [one for one in world.scenario.plan.with_sensor("leak") if area in (None, one.area)]
    if not sensors:
        raise LookupError(f"there is no leak sensor in {area}")
    dry = [one for one in sensors if world.now - home.wet.get(one.name, 0) >= _WET + _DRYING]
    if dry:
        sensor = world.rng.choice(dry)
        home.wet[sensor.name] = world.now
        world.spill(sensor.name, _WET)
        world.truth.household.leaked(sensor.area, world.now)
    else:  # water that is told again soon is the same leak: who has staged it is to know
        world.stories.tell(world.now, "wet", "", "", ())
    return bool(dry)


def _may_fall(home: Home) -> list[str]:
    """Those at home who have not been in the bathroom for a while: one visit is not to look like two."""
    long_ago = home.world.now - _DRYING
    return [who for who in home.idle(home.inside()) if home.last_bath.get(who, 0) < long_ago]


def _keep_away(home: Home, place: str, length: int) -> bool:
    """Whether no senior is there, or about to be; if so, none will be for so long."""
    seniors = home.seniors()
    if any(home.at[who] == place for who in seniors) or home.idle(seniors) != seniors:
        return False
    home.avoid[place] = home.world.now + length
    return True
