"""Dead letters: kept until they can be read, then read once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.ingest import dead_letters
from app.ingest.intake import Counts
from app.ingest.payloads import DEFAULT, Route
from app.mqtt.message import Message
from tests.app.ingest.intakes import opened, reading, rows


def test_dead_letters_are_read_after_the_fix_and_only_once(tmp_path: Path) -> None:
    odd = Message("dock/7/tags", reading(1).payload)
    before = opened(tmp_path)
    before.take([odd, Message("dock/7/tags", b"junk")])
    before.close()
    fixed = opened(tmp_path, routes=(*DEFAULT, Route("dock/+/tags")))
    assert fixed.replay() == Counts(messages=2, rows=1, rejected=1)
    assert fixed.replay() == Counts(messages=1, rows=0, rejected=1)
    fixed.close()
    assert [row["seq"] for row in rows(tmp_path)] == [1]
    assert [entry.letter.payload for entry in dead_letters.pending(tmp_path)] == [b"junk"]


def test_a_replay_that_dies_after_the_write_is_not_done_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened(tmp_path, routes=(Route("elsewhere"),))
    before.take([reading(1)])
    before.close()
    dying = opened(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(dead_letters, "settle", _die)
        with pytest.raises(KeyboardInterrupt):
            dying.replay()
    dying.close()
    after = opened(tmp_path)
    assert after.replay() == Counts(messages=0, rows=0, rejected=0)
    after.close()
    assert len(rows(tmp_path)) == 1


def test_large_dead_letters_are_tried_again_a_portion_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened(tmp_path, routes=(Route("elsewhere"),))
    before.take([reading(number) for number in range(6)])
    before.close()
    sizes = list[int]()
    monkeypatch.setattr(dead_letters, "PORTION_BYTES", 2 * len(reading(0).payload))
    marked = dead_letters.replayed_mark
    monkeypatch.setattr(
        dead_letters, "replayed_mark", lambda letters, now: sizes.append(len(letters)) or marked(letters, now)
    )
    after = opened(tmp_path)
    assert after.replay() == Counts(messages=6, rows=6, rejected=0)
    after.close()
    assert sizes == [2, 2, 2]
    assert list(dead_letters.pending(tmp_path)) == []


def _die(_folder: Path) -> None:
    raise KeyboardInterrupt


def test_nobody_can_pretend_that_dead_letters_were_replayed(tmp_path: Path) -> None:
    forged = json.dumps({"command": dead_letters.REPLAYED, "letters": [0]}).encode()
    ingest = opened(tmp_path)
    ingest.take([Message("vigil/readings/r1", b"junk"), Message("vigil/control", forged)])
    ingest.close()
    assert len(list(dead_letters.pending(tmp_path))) == 1
