"""People in a store: those who shop, and those who steal, sweep, hide or put things back wrongly."""

from __future__ import annotations

from random import Random

from simulator.worlds.world import MINUTE, SECOND, Agent, World


def shopper(world: World) -> Agent:
    """Looks round, tries some things on, pays for what is kept, and goes."""
    who = world.name("shopper")
    for _ in range(world.rng.randint(1, 3)):
        yield from browse(world, who)
        if world.rng.random() < 0.6:
            take(world, who, world.rng.randint(1, 2))
    if world.carried[who] and world.rng.random() < 0.4:
        yield from try_on(world, who)
    if world.carried[who] and world.rng.random() < 0.2:
        yield from put_back(world, who, world.carried[who][0])
    if world.carried[who]:
        yield from pay(world, who)
    yield from go_out(world, who)


def thief(world: World) -> Agent:
    """Takes a few things, may try them on, and walks out with them."""
    who = world.name("shopper")
    yield from browse(world, who)
    take(world, who, world.rng.randint(1, 3))
    if world.rng.random() < 0.3:
        yield from try_on(world, who)
    yield from go_out(world, who)


def hasty_thief(world: World) -> Agent:
    """Straight to a shelf and straight out."""
    who = world.name("shopper")
    yield from browse(world, who, linger=(1, 3))
    take(world, who, world.rng.randint(1, 3))
    yield from go_out(world, who)


def misplacer(world: World) -> Agent:
    """Carries something about and leaves it on a foreign shelf."""
    who = world.name("shopper")
    yield from leave_astray(world, who)
    yield from go_out(world, who)


def brief_misplacer(world: World) -> Agent:
    """The same, but staff bring it home before anybody needs to know."""
    who = world.name("shopper")
    yield from leave_astray(world, who)
    area = world.whereabouts[who]
    strays = [tag for tag in world.at(area or "") if world.rows["home"][tag] != area]
    world.begin(bring_home(world, strays[-1:]), world.now + _between(world.rng, 2, 5, MINUTE))
    yield from go_out(world, who)


def sweeper(world: World) -> Agent:
    """Clears most of a product off its shelf within seconds and walks out."""
    who = world.name("shopper")
    yield from walk(world, who, _shelf(world))
    products = _full_products(world, who)
    if products:
        yield from sweep(world, who, world.rng.choice(products))
    yield from go_out(world, who)


def hider(world: World) -> Agent:
    """Shields a tag in the fitting room and walks out unseen."""
    who = world.name("shopper")
    yield from browse(world, who)
    take(world, who, 1)
    yield from walk(world, who, _one(world, "fitting"))
    yield _between(world.rng, 60, 180, SECOND)
    for tag in world.carried[who]:
        world.hide(who, tag)
    yield _between(world.rng, 20, 60, SECOND)
    yield from go_out(world, who)


def restocker(world: World) -> Agent:
    """Staff bring a handful of a product from the stock room to its shelf."""
    who, stock = world.name("staff"), _one(world, "stock")
    yield from walk(world, who, stock)
    waiting = world.at(stock)
    product = world.rows["product"][world.rng.choice(waiting)] if waiting else None
    for tag in [tag for tag in waiting if world.rows["product"][tag] == product][:6]:
        world.take(who, tag)
    yield _between(world.rng, 20, 60, SECOND)
    yield from shelve(world, who)
    world.leave(who)


def bring_home(world: World, tags: list[int]) -> Agent:
    """Staff pick things up and bring them to their shelves."""
    who = world.name("staff")
    for tag in tags:
        yield from walk(world, who, world.scenario.plan.areas[int(world.place[tag])].name)
        world.take(who, tag)
    yield from shelve(world, who)
    world.leave(who)


# The parts of a visit, which scripts use as well


def walk(world: World, who: str, area: str) -> Agent:
    """Across the floor, out of every reader's field, and into an area."""
    world.go(who, None)
    yield _between(world.rng, 5, 15, SECOND)
    world.go(who, area)


def browse(world: World, who: str, linger: tuple[int, int] = (20, 90)) -> Agent:
    yield from walk(world, who, _shelf(world))
    yield _between(world.rng, *linger, SECOND)


def take(world: World, who: str, count: int) -> None:
    """Different things from the shelf at hand, each on its own shelf."""
    area = world.whereabouts[who] or ""
    own = [tag for tag in world.at(area) if world.rows["home"][tag] == area]
    for tag in world.rng.sample(own, min(count, len(own))):
        world.take(who, tag)


def try_on(world: World, who: str) -> Agent:
    yield from walk(world, who, _one(world, "fitting"))
    yield _between(world.rng, 2, 6, MINUTE)


def put_back(world: World, who: str, tag: int) -> Agent:
    home = world.rows["home"][tag]
    yield from walk(world, who, home)
    yield _between(world.rng, 3, 10, SECOND)
    world.put_down(who, tag, home)


def leave_astray(world: World, who: str) -> Agent:
    yield from browse(world, who)
    take(world, who, 1)
    foreign = [
        area.name for area in world.scenario.plan.of_kind("shelf") if area.name != world.whereabouts[who]
    ]
    yield from walk(world, who, world.rng.choice(foreign))
    yield _between(world.rng, 5, 30, SECOND)
    for tag in list(world.carried[who]):
        world.put_down(who, tag, world.whereabouts[who] or "")


def sweep(world: World, who: str, product: str, count: int | None = None) -> Agent:
    area = world.whereabouts[who] or ""
    tags = [tag for tag in world.at(area) if world.rows["product"][tag] == product]
    if not tags:
        raise LookupError(f"no {product} lies in {area}")
    for tag in tags[: count or len(tags)]:
        world.take(who, tag)
        yield _between(world.rng, 1, 2, SECOND)


def shelve(world: World, who: str) -> Agent:
    for home in sorted({world.rows["home"][tag] for tag in world.carried[who]}):
        yield from walk(world, who, home)
        for tag in [tag for tag in world.carried[who] if world.rows["home"][tag] == home]:
            yield _between(world.rng, 3, 8, SECOND)
            world.put_down(who, tag, home)


def pay(world: World, who: str) -> Agent:
    """At a till that works: one whose reader is down is closed."""
    tills = [area.name for area in world.scenario.plan.of_kind("counter") if world.is_watched(area.name)]
    if tills:
        yield from pay_at(world, who, world.rng.choice(tills))


def pay_at(world: World, who: str, till: str) -> Agent:
    yield from walk(world, who, till)
    yield _between(world.rng, 8, 25, SECOND)
    world.pay(who)


def go_out(world: World, who: str, door: str | None = None) -> Agent:
    yield from walk(world, who, door or _one(world, "exit"))
    yield _between(world.rng, 3, 6, SECOND)
    world.leave(who)


def _full_products(world: World, who: str) -> list[str]:
    """Products of which enough lie here for a sweep worth the name."""
    wanted = int(world.truth.setting("shelf_sweep", "count")) + 1
    here = [world.rows["product"][tag] for tag in world.at(world.whereabouts[who] or "")]
    return sorted(product for product in set(here) if here.count(product) >= wanted)


def _shelf(world: World) -> str:
    return _one(world, "shelf")


def _one(world: World, kind: str) -> str:
    return world.rng.choice(world.scenario.plan.of_kind(kind)).name


def _between(rng: Random, low: float, high: float, unit: int) -> int:
    return round(rng.uniform(low, high) * unit)
