"""The door: who passes is seen by both sensors and the gate, and parties keep apart."""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random

import pytest

from app.place.scenario import load
from simulator.worlds.library import Library
from simulator.worlds.world import MINUTE, Presences, World

LIBRARY = load(Path("scenarios/library.yaml"))
INSIDE, OUTSIDE = (
    [reader.side for reader in LIBRARY.plan.readers].index(side) for side in ("inside", "outside")
)


@pytest.fixture
def library() -> Library:
    return Library(World(LIBRARY, Random(1), 0))


def sides(presences: Presences) -> list[int]:
    return [reader for reader, _, _ in sorted(presences.motions, key=lambda motion: motion[1])]


def test_who_comes_stirs_the_outer_sensor_first_and_who_goes_the_inner(library: Library) -> None:
    library.world.begin(library.come(["patron-1"]))
    assert sides(library.world.run(MINUTE)) == [OUTSIDE, INSIDE]
    library.world.begin(library.leave(["patron-1"]))
    assert sides(library.world.run(2 * MINUTE)) == [INSIDE, OUTSIDE]


def test_who_turns_back_never_stirs_the_outer_sensor(library: Library) -> None:
    library.world.begin(library.door.turn_back("patron-1"))
    assert sides(library.world.run(MINUTE)) == [INSIDE, INSIDE]


def test_between_two_motions_the_gate_hears_what_is_carried(library: Library) -> None:
    library.world.begin(library.come(["patron-1"]))
    presences = library.world.run(MINUTE)
    first, last = sorted(start for _, start, _ in presences.motions)
    at_gate = (presences.tag == library.cards["patron-1"]) & (presences.area == library.world.areas["door"])
    assert presences.start[at_gate].tolist() < [last]
    assert presences.end[at_gate].tolist() > [first]


def test_a_pair_passes_together_and_the_next_keeps_its_distance(library: Library) -> None:
    library.world.begin(library.come(["patron-1", "patron-2"]))
    library.world.begin(library.come(["patron-3"]))
    starts = sorted(start for _, start, _ in library.world.run(2 * MINUTE).motions)
    gaps = [later - earlier for earlier, later in itertools.pairwise(starts)]
    assert [gap > 5_000 for gap in gaps] == [False, False, False, True, False]


def test_nobody_comes_in_twice(library: Library) -> None:
    library.world.begin(library.come(["patron-1"]))
    library.world.run(MINUTE)
    library.world.begin(library.come(["patron-1"]))
    with pytest.raises(LookupError, match="patron-1 is in already"):
        library.world.run(2 * MINUTE)


def test_chance_leaves_alone_whom_and_what_the_script_needs(library: Library) -> None:
    guests = library.guests(100, lambda _: True)
    assert {"patron-2", "patron-6", "patron-7"}.isdisjoint(guests)
    assert library.world.tag_of["book-120"] in library.world.reserved
