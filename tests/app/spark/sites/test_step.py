"""What follows from a site's log, whichever worker has it, however often tasks run, whoever else is there."""

from __future__ import annotations

import copy
import random
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row as SparkRow
from pyspark.sql.streaming.tws_tester import TwsTester

from app import log
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import CleanedStream
from app.detection.in_process import InProcess
from app.detection.queries import defaults, rules
from app.ingest.intake import Ingest, IngestSettings
from app.log.row import STORED_SCHEMA, Row, to_batch
from app.mqtt.message import Message
from app.place import scenario
from app.spark.sites import cleaned, place, step
from app.spark.sites.place import SitePlace
from app.spark.sites.processor import SitesProcessor
from app.spark.sites.source import GONE
from sase.spark.bucket import worker_memory
from simulator.worlds.world import MINUTE
from tests.app.rows import NOON, theft
from tests.app.site import corner_shop, messages, small_ward

HOUR = 3_600_000
Told = set[tuple[str, str, int]]


@dataclass
class Worker:
    """What a Python worker remembers."""

    streams: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    buckets: OrderedDict[str, Any] = field(default_factory=OrderedDict)


class Chain:
    """Sites in Spark's own tester of the operator: two workers, tasks that fail and run again."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int = 0, failing: float = 0.3
    ) -> None:
        self._folder, self._monkeypatch = folder, monkeypatch
        self._random, self._failing = random.Random(seed), failing
        self._workers = [Worker(), Worker()]
        self._places: dict[str, tuple[str, str]] = {}
        self.tester = TwsTester(SitesProcessor({}))

    def add(self, name: str, path: Path) -> Path:
        """A site, and where its log is."""
        found = scenario.load(path)
        standing = {one.detector: one.parameters for one in defaults(found) if one.enabled}
        own = self._folder / name
        setup = CleaningSetup(path, own / "log", own / "cleaning", 500)
        written = place.write(
            own, SitePlace(found, rules(found, standing), 500, setup.catalogs, setup.learned)
        )
        self._places[name] = str(setup.log), str(written)
        return own / "log"

    def read(self, name: str, upto: int | None = None) -> list[SparkRow]:
        """One micro-batch's work for a site, up to the end of its log."""
        where, written = self._places[name]
        asked = SparkRow(
            site=name,
            name=name,
            log=where,
            place=written,
            start=log.earliest(Path(where)),
            upto=log.end(Path(where)) if upto is None else upto,
        )
        return self._task(name, asked)

    def remove(self, name: str) -> None:
        self._task(name, SparkRow(site=name, name="", log="", place="", start=0, upto=GONE))

    def forget(self) -> None:
        """All workers are new."""
        self._workers = [Worker(), Worker()]

    def state(self) -> tuple[Any, Any]:
        handle = self.tester.handle
        return handle.value_states["stream"].state, handle.map_states["stream_blobs"].state

    def _task(self, name: str, asked: SparkRow) -> list[SparkRow]:
        if self._random.random() < self._failing:
            saved = copy.deepcopy(self.state())
            self._choose()
            self.tester.test(name, [asked])
            handle = self.tester.handle
            handle.value_states["stream"].state, handle.map_states["stream_blobs"].state = saved
        self._choose()
        found: list[SparkRow] = self.tester.test(name, [asked])
        return found

    def _choose(self) -> None:
        worker = self._random.choice(self._workers)
        self._monkeypatch.setattr(cleaned, "_streams", worker.streams)
        self._monkeypatch.setattr(worker_memory, "_buckets", worker.buckets)


def append(folder: Path, rows: Sequence[Row]) -> None:
    writer = log.LogWriter(folder, STORED_SCHEMA)
    writer.append(to_batch(rows))
    writer.close()


def record(folder: Path, path: Path, length_ms: int = 50 * MINUTE) -> None:
    """The play of a place as ingest writes it."""
    ingest = Ingest(IngestSettings(folder, heartbeat_ms=0))
    found = [Message(one.topic, str(one.payload).encode()) for one in messages(path, length_ms)]
    for first in range(0, len(found), 200):
        ingest.take(found[first : first + 200])
    ingest.close()


def beat(ts: int) -> Row:
    return Row("heartbeat", "", 0, "", ts, None, None, None, ts, "")


def alone(path: Path, folder: Path) -> Told:
    """What is found in a log by one process that reads nothing else."""
    found = scenario.load(path)
    matching, stream = InProcess(found), CleanedStream(found, 500)
    batches = [stream.push(rows) for rows in log.read(folder, log.earliest(folder), log.end(folder))]
    return {(one.query, one.id, one.detected_at) for batch in batches for one in matching.matches(batch)}


def matches(rows: Iterable[SparkRow]) -> list[tuple[str, str, int]]:
    return [(row["query"], row["id"], row["ts"]) for row in rows if row["kind"] == "match"]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return corner_shop(tmp_path / "shop")


@pytest.fixture
def ward(tmp_path: Path) -> Path:
    (tmp_path / "ward").mkdir()
    return small_ward(tmp_path / "ward")


@pytest.fixture
def tags(shop: Path) -> list[str]:
    found: list[str] = scenario.load(shop).items["tag"].to_pylist()
    return found


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 20))])
def test_every_site_tells_what_it_tells_alone_once_however_its_log_is_cut_and_tasks_fail(
    tmp_path: Path, shop: Path, ward: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """The ward has composite events; snapshots are written all the time, workers change."""
    monkeypatch.setattr(step, "LEAST_ROWS", 50)
    monkeypatch.setattr(step, "TIMES_AS_MANY", 0)
    chain, chance = Chain(tmp_path / "data", monkeypatch, seed), random.Random(seed)
    sites = {"north": shop, "clinic": ward}
    folders = {name: chain.add(name, path) for name, path in sites.items()}
    told: dict[str, list[tuple[str, str, int]]] = {name: [] for name in sites}
    for name, path in sites.items():
        record(folders[name], path)
    ends = {name: log.end(folder) for name, folder in folders.items()}
    for cut in sorted(chance.random() for _ in range(15)):
        for name, end in ends.items():
            told[name] += matches(chain.read(name, int(cut * end)))
    chain.forget()
    for name, path in sites.items():
        told[name] += matches(chain.read(name))
        assert set(told[name]) == alone(path, folders[name])
        assert len(told[name]) == len(set(told[name])) > 2


def test_nothing_of_one_site_meets_anything_of_another_with_the_same_tags(
    tmp_path: Path, shop: Path, tags: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taken from the shelf here and carried through a door there."""
    chain, whole = Chain(tmp_path / "data", monkeypatch), theft(tags[0], NOON)
    north, south, both = (chain.add(name, shop) for name in ("north", "south", "both"))
    append(north, [row for row in whole if row.reader != "main-exit-gate"])
    append(south, [row for row in whole if row.reader == "main-exit-gate"])
    append(both, whole)
    told = {name: matches(chain.read(name)) for name in ("north", "south", "both")}
    stolen = {name: [one for one in found if one[0] == "shoplifting"] for name, found in told.items()}
    assert (stolen["north"], stolen["south"], len(stolen["both"])) == ([], [], 1)


def test_time_in_a_site_is_its_own(
    tmp_path: Path, shop: Path, tags: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is cut off before its thief is out, while at another a day goes by: nothing of it is late."""
    chain, whole = Chain(tmp_path / "data", monkeypatch, failing=0.0), theft(tags[0], NOON)
    north, south = chain.add("north", shop), chain.add("south", shop)
    append(north, whole[:8])
    append(south, [*theft(tags[0], NOON), *theft(tags[1], NOON + 24 * HOUR)])
    told = matches([*chain.read("north"), *chain.read("south")])
    append(north, whole[8:])
    rows = chain.read("north")
    told += matches(rows)
    assert [one["kind"] for one in rows if one["kind"] == "late"] == []
    found = {one for path in (north, south) for one in alone(shop, path)}
    assert set(told) == found
    assert sum(name == "shoplifting" for name, *_ in told) == 3


def test_of_a_site_that_is_gone_nothing_is_left_and_one_of_its_name_begins_anew(
    tmp_path: Path, shop: Path, tags: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step, "LEAST_ROWS", 1)
    monkeypatch.setattr(step, "TIMES_AS_MANY", 0)
    chain = Chain(tmp_path / "data", monkeypatch)
    north = chain.add("north", shop)
    append(north, theft(tags[0], NOON))
    first = matches(chain.read("north"))
    chain.remove("north")
    assert [len(part) for part in chain.state()] == [0, 0]
    assert matches(chain.read("north")) == first


def test_where_only_time_passes_nothing_is_written(
    tmp_path: Path, shop: Path, tags: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = Chain(tmp_path / "data", monkeypatch, failing=0.0)
    north = chain.add("north", shop)
    append(north, [*theft(tags[0], NOON), beat(NOON + 30 * MINUTE)])
    chain.read("north")
    before = copy.deepcopy(chain.state())
    append(north, [beat(NOON + 30 * MINUTE + 1_000), beat(NOON + 30 * MINUTE + 2_000)])
    assert chain.read("north") == []
    assert chain.state() == before
    append(north, theft(tags[1], NOON + HOUR))
    assert [one for one in matches(chain.read("north")) if one[0] == "shoplifting"]


def test_a_log_that_is_damaged_is_told_and_the_others_go_on_and_it_too_once_it_is_whole_again(
    tmp_path: Path, shop: Path, tags: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = Chain(tmp_path / "data", monkeypatch, failing=0.0)
    north, south = chain.add("north", shop), chain.add("south", shop)
    for folder in (north, south):
        append(folder, theft(tags[0], NOON)[:8])
        chain.read(folder.parent.name)
    for folder in (north, south):
        append(folder, theft(tags[0], NOON)[8:])
    [segment] = north.glob("*.segment")
    whole = segment.read_bytes()
    segment.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    [stuck] = chain.read("north")
    assert (stuck["kind"], "is damaged at byte" in stuck["reason"]) == ("stuck", True)
    south_told = matches(chain.read("south"))
    segment.write_bytes(whole)
    assert set(matches(chain.read("north"))) == set(south_told) != set()
