"""What a home's sensors say becomes events with probabilities, as a function of the log."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import log
from app.cleaning.placed import LEFT_THE_PLACE
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import CleanedStream
from app.log.row import ROW_SCHEMA, STORED_SCHEMA, Row, heartbeat_row, sensed_row, to_batch
from app.place.find import find_scenario
from app.place.scenario import Scenario, load, with_items
from app.spark import cleaned_log
from app.spark.cleaned_log import CleanedLog
from tests.app.rows import NOON, online, read

HOME = find_scenario("home")
LATENESS_MS = 500
BADGES = ("hall-badges", "living-badges", "bedroom-badges", "bathroom-badges")
SECOND, MINUTE = 1_000, 60_000
Event = dict[str, Any]


@pytest.fixture(scope="module")
def home() -> Scenario:
    return load(HOME)


def badge(home: Scenario, who: str) -> str:
    return str(home.items["tag"][home.items["id"].index(who).as_py()].as_py())


def said(kind: Any, reader: str, ts: int, **detail: object) -> Row:
    return sensed_row(
        kind, reader, "", ts, ts, seq=None, topic="", detail=json.dumps(detail) if detail else None
    )


def lying(home: Scenario, who: str, room: str, start: int, minutes: float) -> list[Row]:
    """A badge that answers two polls of five, by readers that say that they live."""
    luck = random.Random(f"{who} {room} {start}")
    polls = range(start, start + round(minutes * MINUTE), 10 * SECOND)
    return [read(f"{room}-badges", badge(home, who), ts) for ts in polls if luck.random() < 0.4]


def alive(start: int, minutes: float) -> list[Row]:
    times = range(start, start + round(minutes * MINUTE), 15 * SECOND)
    return [online(reader, ts) for ts in times for reader in BADGES]


def batch(rows: list[Row], first: int = 0) -> pa.RecordBatch:
    stored = to_batch(rows)
    return pa.RecordBatch.from_arrays(
        [pa.array(range(first, first + len(rows)), pa.int64()), *stored.columns], schema=ROW_SCHEMA
    )


def cleaned(home: Scenario, rows: list[Row]) -> tuple[list[Event], CleanedStream]:
    stream = CleanedStream(home, LATENESS_MS)
    ordered = sorted(rows, key=lambda row: row.ts)
    events = stream.push(batch([*ordered, heartbeat_row(ordered[-1].ts + MINUTE, 0)])).to_pylist()
    return [one for one in events if one["event_id"]], stream


def of(events: list[Event], *kinds: str) -> list[tuple[str, str, str]]:
    return [(one["event"], one["entity"], one["place"]) for one in events if one["event"] in kinds]


def test_a_badge_that_is_often_missed_tells_who_came_where_with_what_the_catalog_knows(
    home: Scenario,
) -> None:
    events, _ = cleaned(home, [*alive(NOON, 5), *lying(home, "anna", "living", NOON, 5)])
    [entered] = [one for one in events if one["event"] == "ENTERED" and one["entity"] == "anna"]
    assert (entered["entity"], entered["place"], entered["room"]) == ("anna", "living", "living")
    assert (entered["name"], entered["role"], entered["area"]) == ("Anna", "senior", "living")
    assert 0.9 <= entered["prob"] < 1


def test_motion_that_names_nobody_moves_the_only_one_who_can_have_moved(home: Scenario) -> None:
    """The report's first example of a state: only A is in the living room, and somebody leaves it."""
    rows = [*alive(NOON, 6)]
    rows += lying(home, "anna", "living", NOON, 5)
    rows += lying(home, "ben", "bedroom", NOON, 6) + lying(home, "clara", "bathroom", NOON, 6)
    rows.append(said("motion", "living-door", NOON + 5 * MINUTE + 1, to="hall"))
    stream = CleanedStream(home, LATENESS_MS)
    moved = [*sorted(rows, key=lambda row: row.ts), heartbeat_row(NOON + 5 * MINUTE + 2 * SECOND, 0)]
    before = [row for row in moved if row.ts <= NOON + 5 * MINUTE + 2 * SECOND]
    stream.push(batch(before))
    hall = [area.name for area in home.plan.areas].index("hall")
    anna, ben, _ = stream.placed().chances[:, hall]
    assert anna > 0.7
    assert ben < 0.2


def test_a_camera_that_guesses_makes_one_likelier_than_the_other(home: Scenario) -> None:
    guess = said("guess", "living-camera", NOON + MINUTE, entities={"anna": 0.85, "ben": 0.1, "clara": 0.02})
    _, stream = cleaned(home, [online("hall-badges", NOON), guess])
    living = [area.name for area in home.plan.areas].index("living")
    anna, ben, clara = stream.placed().chances[:, living]
    assert anna > 0.5 > ben > clara


def test_a_guess_about_somebody_who_does_not_live_here_is_about_somebody_else(home: Scenario) -> None:
    guess = said("guess", "living-camera", NOON + MINUTE, entities={"zoe": 0.9})
    events, _ = cleaned(home, [online("hall-badges", NOON), guess])
    assert of(events, "ENTERED") == []


def test_a_leak_is_told_once_and_after_it_who_is_where(home: Scenario) -> None:
    rows = [*alive(NOON, 8), *lying(home, "anna", "living", NOON, 8)]
    rows += [said("leak", "bath", NOON + (4 + minute) * MINUTE + SECOND) for minute in range(3)]
    events, _ = cleaned(home, rows)
    [leak] = [one for one in events if one["event"] == "LEAK"]
    assert (leak["ts"], leak["area"], leak["reader"]) == (NOON + 4 * MINUTE + SECOND, "bathroom", "bath")
    present = [one for one in events if one["event"] == "PRESENT" and one["entity"] == "anna"]
    assert present[0]["ts"] == leak["ts"] + 1
    assert {one["place"] for one in present} == {"living"}
    assert min(one["prob"] for one in present) > 0.9
    assert len(present) >= 8


def test_everybody_goes_out_and_the_home_is_empty(home: Scenario) -> None:
    rows = [*alive(NOON, 20)]
    for number, who in enumerate(("anna", "ben", "clara")):
        leaves = NOON + (5 + number) * MINUTE
        rows += lying(home, who, "hall", NOON, 5 + number)
        rows.append(said("motion", "front-door", leaves, to="outside"))
    events, stream = cleaned(home, rows)
    assert of(events, "EMPTY", "OCCUPIED") == [("EMPTY", None, "home")]
    out = stream.placed().chances[:, len(home.plan.areas) + LEFT_THE_PLACE]
    assert (out > 0.9).all()


def test_a_read_that_came_late_still_says_who_is_there(home: Scenario) -> None:
    rows = sorted(alive(NOON, 3), key=lambda row: row.ts)
    bedroom = [area.name for area in home.plan.areas].index("bedroom")
    stream = CleanedStream(home, LATENESS_MS)
    stream.push(batch(rows))
    before = stream.placed().chances[1, bedroom]
    late = read("bedroom-badges", badge(home, "ben"), rows[-1].ts - 40 * SECOND)
    stream.push(batch([late, heartbeat_row(rows[-1].ts + 2 * SECOND, 0)], len(rows)))
    assert before < 0.1
    assert stream.placed().chances[1, bedroom] > 0.3


def test_readers_tell_that_they_live_and_nothing_of_what_they_read(home: Scenario) -> None:
    events, _ = cleaned(home, [*alive(NOON, 3), *lying(home, "anna", "living", NOON, 3)])
    assert {one["event"] for one in events} == {"READER-ALIVE", "ENTERED"}


@pytest.fixture(autouse=True, scope="module")
def often() -> Iterator[None]:
    """A snapshot every few rows."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cleaned_log, "SNAPSHOT_ROWS", 7)
        yield


def anything(home: Scenario, seed: int, count: int) -> list[Row]:
    """Rows of all kinds, some late, many at the same moment."""
    luck = random.Random(seed)
    moments = accumulate(luck.choice([0, 0, 250, 1000, 7000]) for _ in range(count))
    return [_any(home, luck, NOON + moment) for moment in moments]


def _any(home: Scenario, luck: random.Random, now: int) -> Row:
    ts = now - luck.choice([0, 0, 0, 300, 5000])
    tag = luck.choice(home.items["tag"].to_pylist())
    return luck.choice(
        [
            read(luck.choice(BADGES), tag, ts),
            read(luck.choice(BADGES), tag, ts),
            online(luck.choice(BADGES), ts),
            said("motion", "living-door", ts, to=luck.choice(["hall", "living"])),
            said("motion", "front-door", ts),
            said("guess", "living-camera", ts, entities={"anna": 0.6, "ben": 0.3}),
            said("leak", "sink", ts),
            heartbeat_row(now - 200, now),
        ]
    )


def told(batches: list[pa.RecordBatch]) -> list[Event]:
    rows = [row for each in batches for row in each.to_pylist()]
    return [row for row in rows if row["event_id"] is not None]


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), cuts=st.sets(st.integers(1, 90)), kills=st.sets(st.integers(1, 90)))
def test_a_process_that_is_killed_anywhere_believes_what_one_that_goes_on_believes(
    home: Scenario, seed: int, cuts: set[int], kills: set[int]
) -> None:
    rows = anything(home, seed, 90)
    edges = sorted({0, len(rows)} | {cut for cut in cuts | kills if cut < len(rows)})
    with tempfile.TemporaryDirectory() as folder:
        setup = CleaningSetup(HOME, Path(folder) / "log", Path(folder) / "snapshots", LATENESS_MS)
        untouched = CleaningSetup(HOME, setup.log, Path(folder) / "others", LATENESS_MS)
        with log.LogWriter(setup.log, STORED_SCHEMA) as writer:
            writer.append(to_batch(rows))
        expected = told(CleanedLog(untouched).between({"position": 0}, {"position": len(rows)}))
        lives = {edge: CleanedLog(setup) for edge in edges}
        living = [max({0} | {kill for kill in kills if kill <= low}) for low, _ in pairwise(edges)]
        parts = [
            each
            for life, (low, high) in zip(living, pairwise(edges), strict=True)
            for each in lives[life].between({"position": low}, {"position": high})
        ]
    found = told(parts)
    assert [_facts(one) for one in found] == [_facts(one) for one in expected]
    assert np.allclose(_sureness(found), _sureness(expected), atol=1e-9)


def _facts(event: Event) -> tuple[Any, ...]:
    return event["seq"], event["event"], event["ts"], event["entity"], event["place"], event["reader"]


def _sureness(events: list[Event]) -> list[float]:
    return [1.0 if one["prob"] is None else one["prob"] for one in events]


def test_if_other_people_move_in_the_belief_begins_anew(home: Scenario) -> None:
    _, stream = cleaned(home, [*alive(NOON, 3), *lying(home, "anna", "living", NOON, 3)])
    kept = stream.snapshot()
    others = CleanedStream(load(HOME), LATENESS_MS)
    others.restore(kept)
    assert np.allclose(others.placed().chances, stream.placed().chances)
    newcomers = home.items.slice(1)
    anew = CleanedStream(with_items(home, newcomers), LATENESS_MS)
    anew.restore(kept)
    assert not anew.placed().chances.any()
