"""What is wrong is named in the order in which readings travel."""

from __future__ import annotations

from app.running.status import GONE_MS
from app.store import PartState, ReaderState
from dashboard.facts.outage import Outage, is_deaf, outages

NOW = 1_000_000


def up(name: str) -> PartState:
    return PartState(name, "up", 0, NOW)


def test_nothing_is_wrong_when_every_part_beats() -> None:
    assert outages([up("ingest"), up("pipeline")], [ReaderState("a", "x")], NOW) == []


def test_the_first_part_of_the_chain_comes_first() -> None:
    parts = [PartState("pipeline", "down", 7, NOW), PartState("broker", "down", 5, NOW, "killed")]
    assert outages(parts, [], NOW) == [Outage("down", "broker", 5, "killed"), Outage("down", "pipeline", 7)]


def test_a_part_that_no_longer_beats_is_quiet_since_its_last_beat() -> None:
    last = NOW - GONE_MS - 1
    assert outages([PartState("ingest", "up", 0, last)], [], NOW) == [Outage("quiet", "ingest", last)]


def test_a_starting_part_is_told_as_starting() -> None:
    assert outages([PartState("pipeline", "starting", 9, NOW)], [], NOW) == [
        Outage("starting", "pipeline", 9)
    ]


def test_a_store_to_which_nobody_ever_spoke_says_so() -> None:
    assert outages([], [], NOW) == [Outage("nothing", "", NOW)]


def test_silent_readers_come_last_and_with_their_area() -> None:
    found = outages(
        [up("ingest")], [ReaderState("r1", "exit", silent_since_ms=3), ReaderState("r2", "till")], NOW
    )
    assert found == [Outage("silent", "r1", 3, "exit")]


def test_readers_are_heard_as_long_as_broker_and_ingest_run() -> None:
    assert not is_deaf(outages([up("broker"), up("ingest"), PartState("pipeline", "down", 7, NOW)], [], NOW))
    assert is_deaf(outages([up("broker"), PartState("ingest", "up", 0, NOW - GONE_MS - 1)], [], NOW))
    assert is_deaf(outages([], [], NOW))
