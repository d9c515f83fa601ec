"""Clocks that are off: a reader's by a constant or a step, the machine's by an hour; what was held back."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app import log
from app.cleaning.order import Order
from app.ingest.intake import Ingest, IngestSettings
from app.log.row import ROW_SCHEMA
from app.mqtt.message import Message
from tests.app.ingest.intakes import START, Time, opened, reading, rows

HOUR = 3_600_000
LATENESS_MS = 500


@dataclass
class Shop:
    """Readers of a shop, heard as they read; `clocks` is what each believes the time to be."""

    folder: Path
    time: Time = field(default_factory=Time)
    clocks: dict[str, Callable[[int], int]] = field(default_factory=dict)
    true_ms: int = START
    seq: int = 0

    def __post_init__(self) -> None:
        self.ingest = opened(self.folder, self.time)
        self._chance = random.Random(3)

    def go_on(
        self, seconds: float, readers: Iterable[str] = ("r1", "r2", "r3"), every_s: float = 0.5
    ) -> None:
        """Time passes; each of the readers reads a tag now and then."""
        for _ in range(round(seconds / every_s)):
            self.time.pass_by(every_s)
            self.true_ms += round(every_s * 1000)
            self.ingest.take([self.read(reader) for reader in readers])
            self.ingest.tick()
            self.ingest.listen()

    def read(self, reader: str) -> Message:
        """What a reader says of a moment ago: the network takes its time."""
        self.seq += 1
        read_ms = self.true_ms - self._chance.randrange(5, 60)
        return reading(self.seq, reader=reader, ts=self.clocks.get(reader, int)(read_ms))

    def restart(self) -> None:
        self.ingest.close()
        self.ingest = opened(self.folder, self.time)

    def late(self) -> list[dict[str, Any]]:
        """The readings that come too late to be matched."""
        order, late = Order(ROW_SCHEMA, LATENESS_MS), []
        for batch in log.read(self.folder, 0, log.end(self.folder)):
            late += order.push(batch)[1].to_pylist()
        return [row for row in late if row["kind"] == "reading"]

    def known(self, reader: str) -> dict[str, Any]:
        """What the log last said about the reader's clock."""
        said = [row for row in rows(self.folder, "clock") if row["reader"] == reader]
        return dict(json.loads(said[-1]["detail"]))


def ahead(by_ms: int) -> Callable[[int], int]:
    return lambda now: now + by_ms


def test_a_reader_that_is_ahead_makes_nobody_late(tmp_path: Path) -> None:
    shop = Shop(tmp_path, clocks={"r1": ahead(600)})
    shop.go_on(60)
    assert shop.late() == []
    assert abs(shop.known("r1")["offset_ms"] - 600) < 50


def test_readers_that_are_off_by_seconds_are_put_right(tmp_path: Path) -> None:
    shop = Shop(tmp_path, clocks={"r1": ahead(-2_000), "r2": ahead(1_700), "r3": ahead(-HOUR)})
    shop.go_on(30)
    known_from = shop.true_ms
    shop.go_on(30)
    told = [row for row in rows(tmp_path) if row["received"] > known_from]
    wrong = [row for row in told if not 0 <= row["received"] - row["ts"] < 100]
    assert wrong == []
    corrections = {row["reader"]: round((row["stamp"] - row["ts"]) / 1_000) for row in told}
    assert corrections == {"r1": -2, "r2": 2, "r3": -3600}
    assert {row["reader"] for row in shop.late()} <= {"r3"}


def test_no_event_is_later_than_its_arrival(tmp_path: Path) -> None:
    shop = Shop(tmp_path, clocks={"r1": ahead(73 * 365 * 24 * HOUR)})
    shop.go_on(3)
    assert [row for row in rows(tmp_path) if row["ts"] > row["received"]] == []
    assert shop.late() == []


def test_until_a_clock_is_known_its_readings_count_as_they_arrive(tmp_path: Path) -> None:
    shop = Shop(tmp_path, clocks={"r1": ahead(-4_000)})
    shop.go_on(5)
    assert shop.late() == []


def test_a_clock_that_is_set_is_noticed_within_half_a_minute(tmp_path: Path) -> None:
    shop = Shop(tmp_path, clocks={"r1": ahead(100)})
    shop.go_on(60)
    shop.clocks["r1"] = ahead(-5_000)
    shop.go_on(40)
    assert abs(shop.known("r1")["offset_ms"] + 5_000) < 60
    assert shop.known("r1")["clock_jumps"] == 1
    settled = shop.true_ms
    shop.go_on(10)
    assert [row for row in shop.late() if row["received"] > settled] == []


def test_clocks_are_known_after_a_restart(tmp_path: Path) -> None:
    shop = Shop(tmp_path, clocks={"r1": ahead(-HOUR)})
    shop.go_on(40)
    before = len(shop.late())
    shop.restart()
    shop.go_on(5)
    assert len(shop.late()) == before


def test_a_reading_that_comes_again_after_its_clock_was_put_right_is_a_duplicate(tmp_path: Path) -> None:
    shop = Shop(tmp_path, clocks={"r1": ahead(700)})
    shop.go_on(30)
    last = shop.read("r1")
    shop.ingest.take([last])
    shop.restart()
    shop.ingest.take([last])
    assert shop.ingest.counts.duplicates == 1


def test_a_reader_that_delivers_what_it_held_back_for_an_hour_has_no_wrong_clock(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.go_on(40)
    held = [shop.read("r1")]
    for _ in range(180):
        shop.true_ms += 20_000
        shop.time.pass_by(20)
        held.append(shop.read("r1"))
        shop.ingest.take([shop.read("r2")])
        shop.ingest.listen()
    for first in range(0, len(held), 30):
        shop.ingest.take(held[first : first + 30])
        shop.go_on(1, readers=["r2"])
    delivered = shop.true_ms
    shop.go_on(60)
    assert {row["reader"] for row in shop.late()} == {"r1"}
    assert abs(shop.known("r1")["offset_ms"]) < 60
    assert [row for row in shop.late() if row["received"] > delivered] == []


def test_what_the_broker_kept_while_nobody_listened_is_not_late_and_tells_nothing_of_clocks(
    tmp_path: Path,
) -> None:
    shop = Shop(tmp_path)
    shop.go_on(30)
    kept = []
    for _ in range(600):
        shop.true_ms += 1_000
        kept += [shop.read("r1"), shop.read("r2"), shop.read("new")]
    shop.time.pass_by(600)
    shop.restart()
    for first in range(0, len(kept), 100):
        shop.ingest.take(kept[first : first + 100])
    shop.time.pass_by(2)
    shop.true_ms += 2_000
    shop.go_on(30)
    assert shop.late() == []
    assert {row["reader"] for row in rows(tmp_path, "clock")} >= {"r1", "r2"}
    assert abs(shop.known("r1")["offset_ms"]) < 60


def steps(shop: Shop, by_ms: int, busy: bool) -> None:
    """The machine's clock is set and set back, and Vigil is restarted meanwhile and afterwards."""
    readers = ("r1", "r2", "r3") if busy else ()
    shop.go_on(30, readers)
    shop.time.wall_ms += by_ms
    shop.go_on(30, readers)
    shop.restart()
    shop.go_on(30, readers)
    shop.time.wall_ms -= by_ms
    shop.go_on(30, readers)
    shop.restart()
    shop.go_on(30, readers)


def test_a_step_of_the_machines_clock_on_a_busy_log_makes_nothing_late(tmp_path: Path) -> None:
    for name, by_ms in (("ahead", HOUR), ("back", -HOUR)):
        shop = Shop(tmp_path / name)
        steps(shop, by_ms, busy=True)
        assert shop.late() == []
        assert max(abs(row["received"] - row["ts"]) for row in rows(tmp_path / name)) < 300


def test_a_step_of_the_machines_clock_on_a_quiet_log_lets_no_time_pass(tmp_path: Path) -> None:
    for name, by_ms in (("ahead", HOUR), ("back", -HOUR)):
        shop = Shop(tmp_path / name)
        steps(shop, by_ms, busy=False)
        beats = [row["received"] for row in rows(tmp_path / name, "heartbeat")]
        assert beats == sorted(beats)
        assert abs(beats[-1] - shop.true_ms) < 1_500


def test_after_the_machine_was_started_anew_time_goes_by_its_clock_but_never_back(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.go_on(10)
    shop.time.boot, shop.time.elapsed_s = "another", 1.0
    shop.time.wall_ms += HOUR
    shop.restart()
    shop.go_on(2)
    assert rows(tmp_path)[-1]["received"] == START + HOUR + 12_000
    shop.time.boot = "a third"
    shop.time.wall_ms -= 2 * HOUR
    shop.restart()
    shop.go_on(2)
    assert rows(tmp_path)[-1]["received"] >= START + HOUR + 12_000


def test_the_machines_clock_is_followed_slowly(tmp_path: Path) -> None:
    time = Time()
    ingest = Ingest(IngestSettings(tmp_path), time.clock)
    time.wall_ms += 100
    for _ in range(100):
        time.pass_by(4)
        ingest.listen()
    ingest.close()
    beats = rows(tmp_path, "heartbeat")
    assert json.loads(beats[0]["detail"])["behind_ms"] == 98
    assert json.loads(beats[-1]["detail"])["behind_ms"] <= 1


def test_no_time_passes_while_nobody_listens(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.go_on(5)
    shop.time.pass_by(600)
    shop.ingest.tick()
    assert rows(tmp_path, "heartbeat")[-1]["ts"] <= START
