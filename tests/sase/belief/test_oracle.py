"""Where, who, together and in hindsight, beside the definition by brute force."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sase import belief
from tests.sase.belief.home import MINUTE, SECOND, home
from tests.sase.belief.oracle import World

NAMES = ["A", "B"]


def near(expected: Any) -> Any:
    return pytest.approx(expected, abs=1e-6)


def model() -> belief.Model:
    sensors = {
        "lr-cam": belief.Watch("LR", hit=0.9, every="1 second", stray={"BR": 0.1, "outside": 0.02}),
        "br-cam": belief.Watch("BR", hit=0.6, every="1 second", stray={"LR": 0.2}),
        "door": belief.Gate("outside", "LR", hit=0.95),
        "br-door": belief.Gate("LR", "BR", hit=0.95),
    }
    return home(sensors=sensors)


def some_event(draw: random.Random, ts: int, names: list[str]) -> dict[str, Any]:
    event: dict[str, Any] = {
        "ts": ts,
        "sensor": draw.choice(["lr-cam", "br-cam", "br-cam", "door", "br-door"]),
    }
    share = draw.choice([0.3, 0.5, 0.8])
    guesses = [{names[0]: share, names[1]: 1 - share}, {"A": share}]
    event |= draw.choice([{"entity": draw.choice(names)}, {}, *({"entities": guess} for guess in guesses)])
    cameras = draw.choice([{"sure": 0.9}, {}, {"alive": True}]) if "cam" in event["sensor"] else {}
    gates = {"door": [{}, {"to": "LR"}], "br-door": [{"to": "BR"}, {}]}.get(event["sensor"], [{}])
    return event | cameras | draw.choice(gates)


def some_day(
    seed: int, names: list[str], length: int
) -> tuple[list[dict[str, Any]], dict[str, dict[str, float]]]:
    draw = random.Random(seed)
    times = [0]
    for _ in range(length - 1):
        times.append(times[-1] + draw.choice([20 * SECOND, 3 * MINUTE, 40 * MINUTE]))
    start = {name: {"LR": 0.5, "BR": 0.2, "outside": 0.3} for name in names}
    return [some_event(draw, ts, names) for ts in times], start


def told(state: belief.State, events: list[dict[str, Any]]) -> None:
    for event in events:
        steps = {True: lambda e: state.alive(e["sensor"], e["ts"]), False: lambda e: state.see([e])}
        steps[bool(event.get("alive"))](event)


@pytest.mark.parametrize("seed", range(40))
def test_two_people_and_a_few_sightings(seed: int) -> None:
    events, start = some_day(seed, NAMES, 3)
    state = belief.State(model(), NAMES, start=start, keep="1 day")
    told(state, events)
    world = World(model(), NAMES, start)
    truths = world.after(events)
    named = {tuple(world.places[x] for x in where): share for where, share in truths[-1].items()}
    found = state.joint(*NAMES)
    assert {where: found[where] for where in named} == near(named)
    inside = sum(share for where, share in named.items() if where[0] == "BR")
    assert state.is_in("A", "BR") == near(inside)
    both = named.get(("BR", "BR"), 0.0)
    sets = {frozenset(who): share for who, share in state.who("BR")}
    assert sets.get(frozenset("AB"), 0.0) == near(both)
    assert state.how_many("BR").distribution[2] == near(both)
    for event, truth in zip(events, truths, strict=True):
        back = state.where("A", at=event["ts"])
        assert [back[name] for name in world.places] == near([_first_in(truth, i) for i in range(3)])


def _first_in(truth: dict[tuple[int, ...], float], place: int) -> float:
    return sum(share for where, share in truth.items() if where[0] == place)


def test_three_people() -> None:
    names = ["A", "B", "C"]
    events, start = some_day(1, names, 2)
    state = belief.State(model(), names, start=start)
    told(state, events)
    world = World(model(), names, start)
    named = {tuple(world.places[x] for x in at): share for at, share in world.after(events)[-1].items()}
    found = state.joint(*names)
    assert {where: found[where] for where in named} == near(named)


def test_polls_in_a_row_that_are_silent() -> None:
    events = [{"ts": SECOND * i, "sensor": "lr-cam", "alive": True} for i in range(4)]
    start = {"A": {"LR": 0.6, "BR": 0.4}}
    state = belief.State(model(), ["A"], start=start)
    told(state, events)
    assert state.is_in("A", "LR") == near(World(model(), ["A"], start).after(events)[-1][0,])
