"""Keeps what the checked-out commit makes of a corner shop's first minutes as an archive for the tests.

    git worktree add ../then COMMIT
    sed -i "s/^SNAPSHOT_ROWS = .*/SNAPSHOT_ROWS = 10/" ../then/app/spark/cleaned_log.py
    cd ../then && PYTHONPATH=. python …/tests/app/upgrade/make_archive.py …/tests/app/upgrade/COMMIT.tar.xz

It uses only what the earlier commits have, too. Of the snapshots of cleaning the first is kept, so that rows
have come after it, as nearly always. The archive of 13da707 was given one at the end of its log as well, made
by `stream_at` and `snapshots.save` of that commit.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from app import log, settings, store
from app.log.row import STORED_SCHEMA, to_batch
from app.place import scenario
from app.settings import Settings
from tests.app.rows import online, stay
from tests.app.site import corner_shop

THEN = 1_700_000_000_000
PATIENCE_SECONDS = 600.0
FOLDER = "/DATA-FOLDER"  # stands for where the data lay, which Spark's checkpoint notes
LEFT_OUT = {"pipeline.lock", "next-deadline", "logs", "place"}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = corner_shop(folder)
        path.write_text(path.read_text() + "detectors: {shoplifting: {}, misplaced: {}}\n")
        data = folder / "data"
        _run(path, Settings(data=data, broker_url="mqtt://127.0.0.1:1", heartbeat_ms=0))
        for notes in (data / "checkpoint" / "state").rglob("_metadata/v2/[0-9]*"):
            notes.write_text(notes.read_text().replace(str(data), FOLDER))
        for snapshot in sorted(data.glob("checkpoint/cleaning/*.snapshot"), key=lambda one: int(one.stem))[
            1:
        ]:
            snapshot.unlink()
        with tarfile.open(sys.argv[1], "w:xz", preset=9) as archive:
            for part in ("checkpoint", "log", "store.db"):
                archive.add(data / part, part, filter=_chosen)


def _run(path: Path, chosen: Settings) -> None:
    """In two micro-batches: jeans are stolen, others lie on their shelf, and a pullover on the wrong one."""
    items = scenario.load(path).items.to_pylist()
    jeans = [str(item["tag"]) for item in items if item["product"] == "JEAN-32"]
    [pullover] = [str(item["tag"]) for item in items if item["id"] == "KNIT-40-001"]
    first = [
        *stay("shelf-denim", jeans[0], THEN, 10_000, 4),
        *stay("main-exit-gate", jeans[0], THEN + 60_000, 250, 6),
        online("till-1-pad", THEN + 62_000),
    ]
    then = [
        *stay("shelf-denim", jeans[1], THEN + 70_000, 10_000, 9),
        *stay("shelf-denim", pullover, THEN + 105_000, 10_000, 5),
        online("till-1-pad", THEN + 151_000),
        online("till-1-pad", THEN + 152_000),
    ]
    engine = store.open_store(chosen.store)
    writer = log.LogWriter(chosen.log, STORED_SCHEMA)
    environment = {**os.environ, **settings.as_environment(chosen)}
    command = [sys.executable, "-m", "app.cli", "pipeline", str(path)]
    writer.append(to_batch(first))
    child = subprocess.Popen(command, env=environment)
    _until(lambda: len(list(store.all_alerts(engine, store.Filter()))) == 1)
    writer.append(to_batch(sorted(then, key=lambda row: row.ts)))
    _until(lambda: len(list((chosen.checkpoint / "commits").glob("[0-9]*"))) >= 2)
    _until(lambda: store.totals(engine).get("watched") == len(first) + len(then))
    child.terminate()
    child.wait()
    writer.close()
    engine.dispose()
    for leftover in chosen.data.glob("store.db-*"):
        leftover.unlink()  # SQLite has written it all into the file when the last one closed it
    shutil.rmtree(chosen.data / "logs", ignore_errors=True)


def _chosen(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    name = Path(member.name).name
    if name in LEFT_OUT or name.endswith(".crc"):
        return None
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


def _until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.1)


if __name__ == "__main__":
    main()
