"""`vigil log copy`: the same rows at the same positions in another kind of log, from either to either."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest

from app import log
from app.cli import main
from app.ingest import dead_letters
from app.ingest.intake import Ingest, IngestSettings
from app.log import LogAddress
from app.log.copying import copy
from app.mqtt.message import Message
from tests.app.nats import NatsServer

START = 1_786_612_500_000


def message(seq: int) -> Message:
    return Message("vigil/readings/r1", json.dumps({"tag": "AABB", "ts": START + seq, "seq": seq}).encode())


def record(where: LogAddress, first: int, count: int) -> None:
    """Readings, and a letter that cannot be read."""
    ingest = Ingest(IngestSettings(where, segment_bytes=8_192))
    for start in range(first, first + count, 10):
        ingest.take([message(seq) for seq in range(start, start + 10)])
    ingest.take([Message("vigil/readings/r1", f"broken {first}".encode())])
    ingest.close()


def rows(where: LogAddress) -> list[dict[str, object]]:
    batches = log.read(where, log.earliest(where), log.end(where))
    return [row for batch in batches for row in batch.to_pylist()]


def letters(where: LogAddress) -> list[bytes]:
    return [entry.letter.payload for entry in dead_letters.pending(where)]


@pytest.fixture
def stream(server: NatsServer) -> log.StreamAddress:
    return server.address(f"s{uuid.uuid4().hex[:12]}")


def test_there_and_back_again_is_the_same_log(
    stream: log.StreamAddress, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, back = tmp_path / "data" / "log", tmp_path / "back"
    record(here, 0, 500)
    log.keep(here, "client-id", "vigil-ingest-1\n")
    log.commit(here, "spark", 300)
    log.trim(here, log.LogRetention(max_bytes=1), now_ms=0)
    assert log.earliest(here) > 0
    settings = tmp_path / "vigil.toml"
    settings.write_text(f'data = "{tmp_path / "data"}"\n')
    assert main(["log", "copy", str(here), str(stream), "--settings", str(settings)]) == 0
    assert f"{len(rows(here)):,} rows and 1 dead letters" in capsys.readouterr().out
    assert main(["log", "copy", str(stream), str(back), "--settings", str(settings)]) == 0
    assert rows(here) == rows(stream) == rows(back)
    assert letters(here) == letters(stream) == letters(back) == [b"broken 0"]
    for copied in (stream, back):
        assert log.committed(copied) == {"spark": 300}
        assert log.kept(copied, "client-id") == "vigil-ingest-1\n"


def test_a_copy_that_was_cut_off_goes_on_and_has_everything_once(
    where: LogAddress, stream: log.StreamAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.log.by_position.BATCH_ROWS", 20)
    source = stream if isinstance(where, Path) else tmp_path / "source"
    record(source, 0, 100)
    steps = copy(source, where)
    assert next(steps)[0] == 0
    assert 0 < next(steps)[0] < 100
    steps.close()
    half = log.end(where)
    assert next(copy(source, where))[0] == half
    assert list(copy(source, where))[-1][0] == 100
    record(source, 100, 50)
    assert list(copy(source, where))[-1][0] == 150
    assert list(copy(source, where)) == [(150, 150)]
    assert rows(where) == rows(source)


def test_the_copy_is_continued_by_ingest_as_the_log_itself_would_be(
    stream: log.StreamAddress, tmp_path: Path
) -> None:
    record(tmp_path, 0, 100)
    list(copy(tmp_path, stream))
    ingest = Ingest(IngestSettings(stream))
    ingest.take([message(seq) for seq in range(90, 110)])
    ingest.close()
    assert (ingest.counts.rows, ingest.counts.duplicates) == (10, 10)
    assert [row["seq"] for row in rows(stream)] == list(range(110))


def test_a_place_that_holds_something_else_is_refused(
    stream: log.StreamAddress, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record(tmp_path / "one", 0, 50)
    record(stream, 700, 50)
    assert main(["log", "copy", str(tmp_path / "one"), str(stream)]) == 1
    assert "has other rows" in capsys.readouterr().err
    record(stream, 800, 50)
    assert main(["log", "copy", str(tmp_path / "one"), str(stream)]) == 1
    assert "it is no earlier copy" in capsys.readouterr().err
    assert main(["log", "copy", str(tmp_path / "none"), str(stream)]) == 1
    assert "is empty" in capsys.readouterr().err
    assert main(["log", "copy", "http://a:hush@b", str(stream)]) == 1
    assert "hush" not in capsys.readouterr().err
