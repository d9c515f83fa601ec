"""Offsets of many sites: they come and go, each brings its share, and nobody waits for one that is silent."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from app import log
from app.log.row import STORED_SCHEMA, Row, to_batch
from app.spark.sites import ends, kept, standing
from app.spark.sites.kept import KeptSite
from app.spark.sites.source import GONE, SitesReader
from app.spark.sites.standing import StandingSite
from sase.spark.bucket.state import Head
from tests.app.rows import NOON, stay


def append(folder: Path, rows: Sequence[Row]) -> None:
    writer = log.LogWriter(folder, STORED_SCHEMA)
    writer.append(to_batch(rows))
    writer.close()


def rows(count: int) -> list[Row]:
    return stay("r1", "AABB", NOON, 1_000, count)


class Sites:
    """The file of sites and a reader of it."""

    def __init__(self, folder: Path, **options: str) -> None:
        self.folder, self._file = folder, folder / "sites.json"
        self._standing: dict[str, StandingSite] = {}
        self._write()
        self.reader = SitesReader({"sites": str(self._file), **options})

    def add(self, name: str, added: int = 1, log_url: str = "") -> Path:
        folder = self.folder / f"{name}-{added}"
        self._standing[name] = StandingSite(f"{name}.{added}", name, log_url or str(folder), "place")
        self._write()
        return folder

    def remove(self, name: str) -> None:
        del self._standing[name]
        self._write()

    def _write(self) -> None:
        standing.write(self._file, self._standing.values())


def told(found: object) -> list[tuple[str, int, int]]:
    return sorted((row[0], row[4], row[5]) for row in found)  # type: ignore[attr-defined]


def test_each_site_is_read_from_where_it_was_and_a_new_one_from_its_beginning(tmp_path: Path) -> None:
    sites = Sites(tmp_path)
    append(sites.add("north"), rows(10))
    found, at = sites.reader.read(sites.reader.initialOffset())
    assert told(found) == [("north.1", 0, 10)]
    append(tmp_path / "north-1", rows(5))
    append(sites.add("south"), rows(7))
    found, after = sites.reader.read(at)
    assert told(found) == [("north.1", 10, 15), ("south.1", 0, 7)]
    assert told(sites.reader.readBetweenOffsets(at, after)) == [("north.1", 10, 15), ("south.1", 0, 7)]


def test_of_a_site_that_is_gone_a_last_row_says_so_and_one_of_its_name_is_another(tmp_path: Path) -> None:
    sites = Sites(tmp_path)
    append(sites.add("north"), rows(10))
    _, at = sites.reader.read(sites.reader.initialOffset())
    append(sites.add("north", added=2), rows(3))
    found, after = sites.reader.read(at)
    assert told(found) == [("north.1", 10, GONE), ("north.2", 0, 3)]
    sites.remove("north")
    assert told(sites.reader.readBetweenOffsets(at, after)) == [("north.1", 10, GONE), ("north.2", 0, GONE)]


def test_a_site_with_much_to_catch_up_with_leaves_room_for_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.spark.sites.source.LEAST_ROWS", 5)
    sites = Sites(tmp_path, maxRows="20")
    append(sites.add("north"), rows(100))
    append(sites.add("south"), rows(4))
    found, at = sites.reader.read(sites.reader.initialOffset())
    assert told(found) == [("north.1", 0, 10), ("south.1", 0, 4)]
    found, _ = sites.reader.read(at)
    assert told(found) == [("north.1", 10, 30)]


def test_nobody_waits_for_a_site_whose_server_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.log.jetstream.client.PATIENCE_S", 5.0)
    monkeypatch.setattr(ends, "OTHERS_WAIT_S", 0.1)
    sites = Sites(tmp_path)
    sites.add("away", log_url="nats://127.0.0.1:9/away")
    append(sites.add("north"), rows(10))
    began = time.monotonic()
    found, at = sites.reader.read(sites.reader.initialOffset())
    assert told(found) == [("north.1", 0, 10)]
    assert time.monotonic() - began < 4
    assert at == {"sites": {"north.1": 10}}


def test_what_is_kept_of_a_site_has_names_that_later_versions_find() -> None:
    site = KeptSite(3, 10, "ab", 2, 8, 77, "why", (Head(1, "cd"),))
    said = json.loads(kept.written(site))
    own = {"begin", "position", "lineage", "snapshot", "snapshot_position", "deadline", "stuck"}
    assert said.keys() == own | {"heads", "version"}
    assert kept.read(kept.written(site)) == site
    with pytest.raises(kept.LaterVersionError, match="later version of Vigil"):
        kept.read(json.dumps(said | {"version": kept.VERSION + 1}))
