"""What is learned from the log beside Spark: readers, silences, places, counts, dead letters, each once."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

import detectors
from app import store as stores
from app.cleaning.setup import CleaningSetup
from app.detection.alert import ReportedMatch, alert
from app.ingest import dead_letters
from app.ingest.dead_letters import Letter
from app.log.row import Row, control_row, heartbeat_row, status_row
from app.place.scenario import Scenario
from app.running.log_follower import LogFollower
from app.store import VIGIL, Silence
from tests.app.rows import NOON, Write, online, read, stay, theft

NOW = NOON + 100_000


@pytest.fixture
def follower(engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, write: Write) -> LogFollower:
    write([online("shelf-denim", NOON - 1_000)])
    return LogFollower(engine, shop, cleaning)


def report(word: str, reader: str, ts: int, **figures: object) -> Row:
    usual = {
        "last_seen_ms": ts,
        "readings": 7,
        "per_second": 0.7,
        "silent_since_ms": None,
        "overflows": 0,
        "antenna_faults": 0,
    }
    return status_row(reader, ts, ts, json.dumps({"status": word} | usual | figures))


def silences(engine: sa.Engine, reader: str) -> list[Silence]:
    return [silence for silence in stores.silences_between(engine, 0, 2**60) if silence.reader == reader]


def test_items_are_shown_where_they_were_last_seen(
    follower: LogFollower, write: Write, engine: sa.Engine, tag: str
) -> None:
    write(theft(tag, NOON))
    follower.catch_up()
    found = stores.find_position(engine, tag)
    assert found is not None
    assert (found.item, found.area) == ("Jeans size 28", "main-exit")
    assert [move.area for move in stores.trail(engine, NOON, NOW)] == ["denim", "main-exit"]


def test_readings_are_counted_once_also_after_a_restart(
    follower: LogFollower, write: Write, engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, tag: str
) -> None:
    write(stay("shelf-denim", tag, NOON, 1_000, 5))
    follower.catch_up()
    follower.catch_up()
    again = LogFollower(engine, shop, cleaning)
    write(stay("shelf-denim", tag, NOON + 5_000, 1_000, 2))
    again.catch_up()
    assert stores.totals(engine)["readings"] == 7


def test_a_reader_that_was_never_heard_is_silent_from_the_beginning(
    follower: LogFollower, write: Write, engine: sa.Engine, tag: str
) -> None:
    assert silences(engine, "till-1-pad") == [Silence("till-1-pad", 0, None)]
    write([read("till-1-pad", tag, NOON)])
    follower.catch_up()
    assert silences(engine, "till-1-pad") == [Silence("till-1-pad", 0, NOON)]


def test_a_silence_that_ingest_notices_begins_when_the_reader_was_last_heard(
    follower: LogFollower, write: Write, engine: sa.Engine, tag: str
) -> None:
    write([read("till-1-pad", tag, NOON)])
    write([report("silent", "till-1-pad", NOON + 60_000, silent_since_ms=NOON)])
    write([read("till-1-pad", tag, NOON + 90_000)])
    follower.catch_up()
    assert silences(engine, "till-1-pad")[1:] == [Silence("till-1-pad", NOON, NOON + 90_000)]


def test_a_reader_whose_last_will_arrives_is_silent_until_it_is_back(
    follower: LogFollower, write: Write, engine: sa.Engine
) -> None:
    gone = status_row(
        "till-1-pad", NOON + 5, NOON + 5, '{"status": "offline"}', topic="vigil/status/till-1-pad"
    )
    write([online("till-1-pad", NOON)])
    follower.catch_up()
    write([gone])
    follower.catch_up()
    write([online("till-1-pad", NOON + 9)])
    follower.catch_up()
    assert silences(engine, "till-1-pad")[1:] == [Silence("till-1-pad", NOON + 5, NOON + 9)]


def test_a_readers_figures_are_those_that_ingest_reports(
    follower: LogFollower, write: Write, engine: sa.Engine
) -> None:
    write(
        [
            report("health", "till-1-pad", NOON, readings=5),
            report("health", "till-1-pad", NOON + 9, readings=8),
        ]
    )
    follower.catch_up()
    readers = {reader.reader: reader for reader in stores.list_readers(engine)}
    assert len(readers) == 12
    assert (readers["till-1-pad"].readings, readers["till-1-pad"].area) == (8, "till-1")


def test_what_could_not_be_read_can_be_looked_into(
    follower: LogFollower, engine: sa.Engine, cleaning: CleaningSetup
) -> None:
    writer = dead_letters.open_writer(cleaning.log)
    dead_letters.append(writer, [Letter("vigil/readings/x", b"\xff<b>\0", "no JSON", NOON)])
    writer.close()
    follower.catch_up()
    follower.catch_up()
    [letter] = stores.list_aside(engine, "dead")
    assert (letter.origin, letter.reason, letter.payload) == ("vigil/readings/x", "no JSON", "\\xff<b>\\x00")
    assert stores.totals(engine)["dead"] == 1


def test_switches_in_the_log_wait_for_the_pipeline_to_come_past(follower: LogFollower, write: Write) -> None:
    asked = {"scenario": "store", "detector": "misplaced", "enabled": False, "parameters": {}, "revision": 3}
    write([control_row(NOON, json.dumps(asked)), control_row(NOON, '{"command": "other"}')])
    follower.catch_up()
    assert [(one.position, one.detector, one.revision) for one in follower.switches] == [(1, "misplaced", 3)]


def test_the_delay_is_told_from_when_the_last_row_came_in(
    follower: LogFollower, write: Write, tag: str
) -> None:
    write(stay("shelf-denim", tag, NOON, 1_000, 5))
    follower.catch_up()
    assert follower.received_at(6) == NOON + 4_000
    assert follower.received_at(99) is None


def test_readings_that_cleaning_drops_are_counted_by_reason(
    follower: LogFollower, write: Write, engine: sa.Engine, tag: str
) -> None:
    write(
        [
            read("till-1-pad", tag, NOON, rssi=-90.0),
            read("till-1-pad", "BEEF", NOON),
            read("till-1-pad", tag, NOON),
        ]
    )
    follower.catch_up()
    totals = stores.totals(engine)
    assert (totals["readings"], totals["weak"], totals["unknown"]) == (3, 1, 1)


def test_a_store_that_fails_in_between_leaves_nothing_half_learned(
    follower: LogFollower, write: Write, engine: sa.Engine, tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise sa.exc.OperationalError("INSERT", {}, Exception("away"))

    write(theft(tag, NOON))
    with monkeypatch.context() as broken:
        broken.setattr(stores, "record_positions", fail)
        with pytest.raises(sa.exc.OperationalError):
            follower.catch_up()
    follower.catch_up()
    assert stores.totals(engine)["readings"] == 10
    assert [move.area for move in stores.trail(engine, NOON, NOW)] == ["denim", "main-exit"]


def told_late(reader: str, tag: str, ts: int, received: int) -> Row:
    return read(reader, tag, ts)._replace(received=received)


def test_what_a_reader_held_back_is_one_line_and_moves_things_but_is_no_late_reading(
    follower: LogFollower, write: Write, engine: sa.Engine, tag: str
) -> None:
    arrival = NOON + 3_600_000
    write([online("till-1-pad", arrival)])
    write([told_late("shelf-denim", tag, NOON + second * 1_000, arrival) for second in range(500)])
    follower.catch_up()
    [held] = stores.list_held(engine, 0)
    assert (held.reader, held.readings, held.oldest_ms, held.until_ms) == ("shelf-denim", 500, NOON, arrival)
    found = stores.find_position(engine, tag)
    assert found is not None
    assert (found.area, found.at_ms) == ("denim", NOON + 499_000)
    assert follower.lateness.share() == 0.0


def test_what_was_held_back_does_not_move_a_thing_that_was_seen_elsewhere_since(
    follower: LogFollower, write: Write, engine: sa.Engine, tag: str
) -> None:
    write(theft(tag, NOON))
    write([told_late("shelf-kids", tag, NOON - second, NOON + 120_000) for second in range(9)])
    follower.catch_up()
    found = stores.find_position(engine, tag)
    assert found is not None
    assert found.area == "main-exit"


def test_the_share_of_late_readings_is_told_for_each_reader(
    follower: LogFollower, write: Write, engine: sa.Engine, tag: str
) -> None:
    late = [read("shelf-kids", tag, NOON), read("shelf-kids", tag, NOON + 1)]
    write([*stay("shelf-denim", tag, NOON, 1_000, 20), *late])
    write([report("health", "shelf-kids", NOW, offset_ms=-700, clock_jumps=2)])
    follower.catch_up()
    [kids] = [one for one in stores.list_readers(engine) if one.reader == "shelf-kids"]
    assert (kids.late_share, kids.offset_ms, kids.clock_jumps) == (1.0, -700, 2)
    assert follower.lateness.share() == 2 / 22


def beats(start: int, seconds: int) -> list[Row]:
    return [heartbeat_row(start + 1_000 * n - 5_000, start + 1_000 * n) for n in range(seconds)]


def test_while_vigil_was_down_nobody_was_watched(
    engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, write: Write
) -> None:
    write([online("till-1-pad", NOON), *beats(NOON, 30)])
    LogFollower(engine, shop, cleaning, heartbeat_ms=1_000).catch_up()
    write([*beats(NOON + 629_000, 30), online("till-1-pad", NOON + 660_000)])
    LogFollower(engine, shop, cleaning, heartbeat_ms=1_000).catch_up()
    down = (NOON + 29_000, NOON + 629_000)
    assert silences(engine, VIGIL) == [Silence(VIGIL, 0, NOON), Silence(VIGIL, *down)]
    assert silences(engine, "till-1-pad") == [
        Silence("till-1-pad", 0, NOON),
        Silence("till-1-pad", *down),
    ]


def test_before_a_simulated_world_began_nothing_was_missed(
    engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, write: Write
) -> None:
    write([online("till-1-pad", NOON), online("till-2-pad", NOON), *beats(NOON, 70)])
    LogFollower(engine, shop, cleaning, heartbeat_ms=1_000, simulated=True).catch_up()
    assert silences(engine, VIGIL) == []
    known = stores.silences_between(engine, 0, 2**60)
    assert not alert(stolen(NOON), detectors.load()["shoplifting"], {}, shop, known).unproven


def test_what_a_broker_kept_meanwhile_was_watched_after_all(
    engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, write: Write, tag: str
) -> None:
    write([read("till-1-pad", tag, NOON), online("till-2-pad", NOON), *beats(NOON, 30)])
    follower = LogFollower(engine, shop, cleaning, heartbeat_ms=1_000)
    back = NOON + 629_000
    write(beats(back, 3))
    write([told_late("till-1-pad", tag, NOON + 60_000 + ms, back + 2_000) for ms in range(0, 500_000, 1_000)])
    follower.catch_up()
    assert silences(engine, "till-1-pad")[1:] == [
        Silence("till-1-pad", NOON + 29_000, NOON + 60_000),
        Silence("till-1-pad", NOON + 559_000, back),
    ]
    assert silences(engine, "till-2-pad")[1:] == [Silence("till-2-pad", NOON + 29_000, back)]


def test_a_reader_whose_readings_came_late_was_not_watched(
    follower: LogFollower, write: Write, engine: sa.Engine, tag: str
) -> None:
    write([read("till-1-pad", tag, NOON), read("shelf-denim", tag, NOON + 20_000)])
    write([read("till-1-pad", tag, NOON + ms) for ms in (9_000, 9_500)])
    follower.catch_up()
    assert silences(engine, "till-1-pad")[1:] == [Silence("till-1-pad", NOON + 9_000, NOON + 9_501)]


def test_a_silence_that_becomes_known_later_changes_the_alert(
    follower: LogFollower, write: Write, engine: sa.Engine, shop: Scenario
) -> None:
    for till in ("till-1-pad", "till-2-pad"):
        write([online(till, NOON - 13 * 3_600_000)])
    follower.catch_up()
    known = stores.silences_between(engine, 0, 2**60)
    raised = alert(stolen(NOON), detectors.load()["shoplifting"], {}, shop, known)
    assert not raised.unproven
    stores.record_alerts(engine, [raised], NOON)
    write([report("silent", "till-2-pad", NOON + 90_000, silent_since_ms=NOON + 30_000)])
    follower.catch_up()
    found = stores.find_alert(engine, raised.id)
    assert found is not None
    assert found.unproven
    steps = [(step.action, step.detail) for step in stores.alert_history(engine, raised.id)]
    assert steps == [("raised", {}), ("unproven", {"readers": "till-2-pad"})]
    assert [clause.variables for clause in found.evidence.clauses if not clause.holds] == [("y",)]
    topics = [message.topic for message in stores.unsent(engine)]
    assert topics == ["vigil/alerts/high", "vigil/incidents/high", "vigil/alerts/changed"]


def test_what_a_reader_tells_late_can_prove_an_alert_after_all(
    follower: LogFollower, write: Write, engine: sa.Engine, shop: Scenario, tag: str
) -> None:
    for till in ("till-1-pad", "till-2-pad"):
        write([online(till, NOON - 13 * 3_600_000)])
    write([report("silent", "till-2-pad", NOON + 90_000, silent_since_ms=NOON - 30_000)])
    write([online("till-2-pad", NOON + 200_000)])
    follower.catch_up()
    known = stores.silences_between(engine, 0, 2**60)
    raised = alert(stolen(NOON), detectors.load()["shoplifting"], {}, shop, known)
    stores.record_alerts(engine, [raised], NOON)
    held = [told_late("till-2-pad", tag, NOON + ms, NOON + 300_000) for ms in (-31_000, 0, 150_000, 201_000)]
    write(held)
    follower.catch_up()
    found = stores.find_alert(engine, raised.id)
    assert found is not None
    assert (raised.unproven, found.unproven) == (True, False)
    assert [step.action for step in stores.alert_history(engine, raised.id)] == ["raised", "proven"]


def stolen(at: int) -> ReportedMatch:
    taken = {"event": "SHELF-READING", "ts": at, "id": "J1", "name": "Jeans", "area": "denim"}
    gone = taken | {"event": "EXIT-READING", "ts": at + 60_000, "area": "main-exit"}
    return ReportedMatch("shoplifting", "m1", at + 60_000, at, at + 60_000, 1.0, {"x": taken, "z": gone})
