"""People in a store, where what they do is not seen by watching alerts alone."""

from pathlib import Path
from random import Random

from app.place.scenario import load
from simulator.worlds.shoppers import copier
from simulator.worlds.world import MINUTE, World

STORE = load(Path("scenarios/store.yaml"))
START = 1_000_000_000


def test_a_tag_is_copied_once_the_item_has_been_gone_for_long_enough() -> None:
    world = World(STORE, Random(1), START)
    tag = world.tag_of["JEAN-32-001"]
    world.put(tag, "denim")
    world.take("shopper-1", tag)
    world.go("shopper-1", "main-exit")
    world.leave("shopper-1")
    world.begin(copier(world))
    world.run(START + 20 * MINUTE)
    assert world.at("denim") == []
    world.run(START + 23 * MINUTE)
    assert world.at("denim") == [tag]
    copied = [one for one in world.truth.incidents if one.detector == "impossible"]
    assert [(one.subject, one.ts > START + 20 * MINUTE) for one in copied] == [("JEAN-32-001", True)]


def test_what_was_hidden_on_its_way_out_is_not_known_to_be_gone() -> None:
    world = World(STORE, Random(1), START)
    tag = world.tag_of["JEAN-32-001"]
    world.put(tag, "fitting")
    world.take("shopper-1", tag)
    world.go("shopper-1", "fitting")
    world.hide("shopper-1", tag)
    world.leave("shopper-1")
    world.run(START + 60 * MINUTE)
    assert world.gone_for(MINUTE) == []
