"""What people do among shelves, in a store as in a library; scripts use it as well."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from simulator.worlds.world import SECOND, Agent, World

_STROLL, _BRISK = (5, 15), (3, 6)  # seconds from one area to another


def walk(world: World, who: str, area: str) -> Agent:
    """Across the floor, out of every reader's field, and into an area."""
    world.go(who, None)
    length = between(world, *(_BRISK if world.stories.is_told else _STROLL))
    world.head_for(who, area, length)
    yield length
    world.go(who, area)


def browse(world: World, who: str, linger: tuple[int, int] = (20, 90)) -> Agent:
    yield from walk(world, who, one_of(world, "shelf"))
    yield pause(world, *linger)


def pause(world: World, low: float, high: float, unit: int = SECOND) -> int:
    """How long somebody stays who is in no hurry; one who was staged goes on at once."""
    taken = between(world, low, high, unit)
    return min(taken, 2 * SECOND) if world.stories.is_told else round(taken * world.haste)


def take(world: World, who: str, count: int) -> list[int]:
    """Different things from the shelf at hand, each on its own shelf."""
    area = world.whereabouts[who] or ""
    free = [tag for tag in world.at(area) if tag not in world.reserved]
    own = [tag for tag in free if world.rows["home"][tag] == area]
    taken = world.rng.sample(own, min(count, len(own)))
    for tag in taken:
        world.take(who, tag)
    return taken


def put_back(world: World, who: str, tag: int) -> Agent:
    home = world.rows["home"][tag]
    yield from walk(world, who, home)
    yield between(world, 3, 10)
    world.put_down(who, tag, home)


def leave_astray(world: World, who: str) -> Generator[int, None, list[int]]:
    """Something is carried about and laid down on a foreign shelf; in the end, what."""
    yield from browse(world, who)
    taken = take(world, who, 1)
    foreign = [
        area.name for area in world.scenario.plan.of_kind("shelf") if area.name != world.whereabouts[who]
    ]
    yield from walk(world, who, world.rng.choice(foreign))
    yield pause(world, 5, 30)
    for tag in taken:
        world.put_down(who, tag, world.whereabouts[who] or "")
    return taken


def shelve(world: World, who: str) -> Agent:
    for home in sorted({world.rows["home"][tag] for tag in world.carried[who]}):
        yield from walk(world, who, home)
        for tag in [tag for tag in world.carried[who] if world.rows["home"][tag] == home]:
            yield between(world, 3, 8)
            world.put_down(who, tag, home)


def bring_home(world: World, tags: Sequence[int]) -> Agent:
    """Staff pick things up and bring them to their shelves."""
    who = world.name("staff")
    for tag in tags:
        yield from walk(world, who, world.scenario.plan.areas[int(world.place[tag])].name)
        world.take(who, tag)
    yield from shelve(world, who)
    world.leave(who)


def one_of(world: World, kind: str) -> str:
    return world.rng.choice(world.scenario.plan.of_kind(kind)).name


def between(world: World, low: float, high: float, unit: int = SECOND) -> int:
    return round(world.rng.uniform(low, high) * unit)
