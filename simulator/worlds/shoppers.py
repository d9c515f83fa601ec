"""People in a store: those who shop, and those who steal, sweep, hide or put things back wrongly."""

from __future__ import annotations

from collections import Counter

from app.cleaning.shelf_stock import BELONG
from simulator.worlds.walking import (
    between,
    bring_home,
    browse,
    leave_astray,
    one_of,
    pause,
    put_back,
    shelve,
    take,
    walk,
)
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
    strays = yield from leave_astray(world, who)
    world.begin(bring_home(world, strays), world.now + between(world, 2, 5, MINUTE))
    yield from go_out(world, who)


def sweeper(world: World) -> Agent:
    """Clears most of a product off its shelf within seconds and walks out."""
    who = world.name("shopper")
    yield from walk(world, who, one_of(world, "shelf"))
    products = _full_products(world, who)
    if products:
        yield from sweep(world, who, world.rng.choice(products))
    yield from go_out(world, who)


def bulk_buyer(world: World) -> Agent:
    """Buys nearly all of a product off its shelf, an armful at a time: too few at once for a sweep."""
    who = world.name("shopper")
    limit, hurried = int(world.truth.setting("understocked", "count")), world.stories.is_told
    yield from walk(world, who, one_of(world, "shelf"))
    products = _stocked_products(world, who, limit)
    if products:
        product = world.rng.choice(products)
        armful = len(world.rows["id"]) if hurried else int(world.truth.setting("shelf_sweep", "count")) - 1
        window = int(world.truth.setting("shelf_sweep", "window"))
        area = world.whereabouts[who] or ""
        while len(left := _lying(world, area, product)) >= limit:
            for tag in left[: min(armful, len(left) - limit + 1)]:
                world.take(who, tag)
                yield between(world, 1, 2) // (4 if hurried else 1)
            yield from pay(world, who)
            if len(_lying(world, area, product)) >= limit:
                yield window
                yield from walk(world, who, area)
    yield from go_out(world, who)


def hider(world: World) -> Agent:
    """Shields a tag in the fitting room and walks out unseen."""
    who = world.name("shopper")
    yield from browse(world, who)
    take(world, who, 1)
    yield from walk(world, who, one_of(world, "fitting"))
    yield 7 * SECOND if world.stories.is_told else between(world, 60, 180)  # it must have been read there
    for tag in world.carried[who]:
        world.hide(who, tag)
    yield pause(world, 20, 60)
    yield from go_out(world, who)


def copier(world: World) -> Agent:
    """Brings something in unseen that bears the number of an item which was carried out, and leaves it on the
    item's own shelf."""
    sure = 20 * SECOND if world.stories.is_told else MINUTE
    while not (gone := world.gone_for(world.truth.event_setting("departed", "away") + sure)):
        yield sure
    world.copy(world.rng.choice(gone))
    yield MINUTE


def restocker(world: World) -> Agent:
    """Staff bring a handful of a product from the stock room to its shelf."""
    who, stock = world.name("staff"), one_of(world, "stock")
    yield from walk(world, who, stock)
    waiting = world.at(stock)
    product = world.rows["product"][world.rng.choice(waiting)] if waiting else None
    for tag in [tag for tag in waiting if world.rows["product"][tag] == product][:6]:
        world.take(who, tag)
    yield between(world, 20, 60)
    yield from shelve(world, who)
    world.leave(who)


# The parts of a visit, which scripts use as well


def try_on(world: World, who: str) -> Agent:
    yield from walk(world, who, one_of(world, "fitting"))
    yield pause(world, 2, 6, MINUTE)


def sweep(world: World, who: str, product: str, count: int | None = None) -> Agent:
    area = world.whereabouts[who] or ""
    tags = [tag for tag in world.at(area) if world.rows["product"][tag] == product]
    if not tags:
        raise LookupError(f"no {product} lies in {area}")
    for tag in tags[: count or len(tags)]:
        world.take(who, tag)
        yield between(world, 1, 2) // (4 if world.stories.is_told else 1)


def pay(world: World, who: str) -> Agent:
    """At a till that works: one whose reader is down is closed, unless nobody cares."""
    counters = [area.name for area in world.scenario.plan.of_kind("counter")]
    tills = [name for name in counters if world.tills_stay_open or world.is_watched(name)]
    if tills:
        yield from pay_at(world, who, world.rng.choice(tills))


def pay_at(world: World, who: str, till: str) -> Agent:
    yield from walk(world, who, till)
    yield between(world, 8, 25)
    world.pay(who)


def go_out(world: World, who: str, door: str | None = None) -> Agent:
    yield from walk(world, who, door or one_of(world, "exit"))
    yield between(world, 3, 6)
    world.leave(who)


def _lying(world: World, area: str, product: str) -> list[int]:
    return [tag for tag in world.at(area) if world.rows["product"][tag] == product]


def _stocked_products(world: World, who: str, limit: int) -> list[str]:
    """Products of which enough lie here, on their own shelf, for the rest to be too few."""
    area = world.whereabouts[who] or ""
    here = [world.rows["product"][tag] for tag in world.at(area) if world.rows["home"][tag] == area]
    belong = Counter(world.rows["product"])
    stocked = {product for product in here if here.count(product) > limit}
    return sorted(product for product in stocked if belong[product] // BELONG >= limit)


def _full_products(world: World, who: str) -> list[str]:
    """Products of which enough lie here for a sweep worth the name."""
    wanted = int(world.truth.setting("shelf_sweep", "count")) + 1
    here = [world.rows["product"][tag] for tag in world.at(world.whereabouts[who] or "")]
    return sorted(product for product in set(here) if here.count(product) >= wanted)
