"""Store, log and checkpoint of one moment in a file, back from it, and upgraded after it; on both stores."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import log
from app import store as stores
from app.cli import main
from app.detection.pipeline import told_until
from app.log.row import STORED_SCHEMA, to_batch
from app.running.backup import BackupError, backup, restore
from app.settings import Settings
from app.store import Alert, Evidence, Filter, dump
from app.store.outbox import enqueue
from tests.app.rows import NOON, online, stay
from tests.app.store.conftest import store_url
from tests.app.upgrade.test_upgrade import unpacked

__all__ = ["store_url"]


@pytest.fixture
def site(tmp_path: Path, store_url: str) -> Settings:
    """The data of an earlier version, in a store of either kind."""
    data = unpacked("0479c22", tmp_path / "data")
    old = stores.connect(f"sqlite:///{data / 'store.db'}")
    rows = list(dump.dump(old))
    old.dispose()
    (data / "store.db").unlink()
    engine = stores.connect(store_url)
    dump.load(engine, rows)
    engine.dispose()
    return Settings(data=data, store_url=store_url)


def content(chosen: Settings) -> tuple[list[str], dict[str, bytes]]:
    engine = stores.connect(chosen.store)
    files = {
        str(path.relative_to(chosen.data)): path.read_bytes()
        for name in ("log", "checkpoint")
        for path in (chosen.data / name).rglob("*")
        if path.is_file() and not path.name.endswith("lock")
    }
    rows = list(dump.dump(engine))
    engine.dispose()
    return rows, files


def test_what_was_backed_up_comes_back(site: Settings, tmp_path: Path) -> None:
    before = content(site)
    backup(site, tmp_path / "one.tar.gz", NOON)
    engine = stores.open_store(site.store)
    with stores.writing(engine) as connection:
        connection.execute(sa.text("DELETE FROM outbox"))
    engine.dispose()
    with log.LogWriter(site.log, STORED_SCHEMA) as writer:
        writer.append(to_batch([online("till-1-pad", NOON)]))
    assert content(site) != before
    with pytest.raises(BackupError, match="--replace"):
        restore(site, tmp_path / "one.tar.gz", replace=False)
    restore(site, tmp_path / "one.tar.gz", replace=True)
    assert content(site) == before
    assert {path.name for path in (site.data / "before-restore-1").iterdir()} == {
        "log",
        "checkpoint",
        "store.jsonl",
    }


def test_numbers_go_on_after_those_that_were_restored(site: Settings, tmp_path: Path) -> None:
    backup(site, tmp_path / "one.tar.gz", NOON)
    restore(site, tmp_path / "one.tar.gz", replace=True)
    engine = stores.open_store(site.store)
    known = {message.number for message in stores.unsent(engine)}
    with stores.writing(engine) as connection:
        enqueue(connection, [("vigil/alerts", "{}")], NOON)
    [new] = {message.number for message in stores.unsent(engine)} - known
    assert new > max(known)
    engine.dispose()


def test_elsewhere_spark_is_told_where_its_checkpoint_lies(site: Settings, tmp_path: Path) -> None:
    backup(site, tmp_path / "one.tar.gz", NOON)
    there = Settings(data=tmp_path / "elsewhere")
    restore(there, tmp_path / "one.tar.gz", replace=False)
    named = [path.read_text() for path in there.checkpoint.glob("state/**/_metadata/v2/*")]
    assert named
    assert all(str(there.data) in text and f"{site.data}/" not in text for text in named)
    engine = stores.open_store(there.store)
    assert len(list(stores.all_alerts(engine, Filter()))) == 1
    engine.dispose()


def test_while_vigil_runs_nothing_is_backed_up_or_restored(site: Settings, tmp_path: Path) -> None:
    backup(site, tmp_path / "one.tar.gz", NOON)
    with log.LogWriter(site.log, STORED_SCHEMA):
        with pytest.raises(BackupError, match="stop it first"):
            backup(site, tmp_path / "two.tar.gz", NOON)
        with pytest.raises(BackupError, match="stop it first"):
            restore(site, tmp_path / "one.tar.gz", replace=True)
    assert not (tmp_path / "two.tar.gz").exists()


def test_a_damaged_backup_changes_nothing(site: Settings, tmp_path: Path) -> None:
    file = tmp_path / "one.tar.gz"
    backup(site, file, NOON)
    before = content(site)
    with tarfile.open(file) as archive:
        archive.extractall(tmp_path / "open", filter="data")
    with (tmp_path / "open" / "store.jsonl").open("a") as rows:
        rows.write("[]\n")
    with tarfile.open(tmp_path / "damaged.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "open", ".")
    (tmp_path / "short.tar.gz").write_bytes(file.read_bytes()[:-2000])
    for name, words in (
        ("damaged", "store.jsonl is not what it was"),
        ("short", "no backup that can be read"),
    ):
        with pytest.raises(BackupError, match=words):
            restore(site, tmp_path / f"{name}.tar.gz", replace=True)
    assert content(site) == before


def test_upgrade_says_what_it_does_backs_up_and_does_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = unpacked("0479c22", tmp_path / "data")
    settings = tmp_path / "vigil.toml"
    settings.write_text(f'data = "{data}"\n')
    engine = stores.connect(f"sqlite:///{data / 'store.db'}")
    with engine.connect() as connection:
        before = dump.revision(connection)
    newest = dump.newest_revision(engine)
    assert before != newest
    assert main(["upgrade", "--dry-run", "--settings", str(settings)]) == 0
    assert f"store: goes from schema {before} to {newest}" in capsys.readouterr().out
    assert not (data / "backups").exists()
    assert main(["upgrade", "--settings", str(settings)]) == 0
    with engine.connect() as connection:
        assert dump.revision(connection) == newest
    [kept] = (data / "backups").iterdir()
    assert main(["restore", str(kept), "--replace", "--settings", str(settings)]) == 0
    assert main(["upgrade", "--dry-run", "--settings", str(settings)]) == 0
    assert "store: is of this version" in capsys.readouterr().out
    engine.dispose()


def test_without_its_checkpoint_the_pipeline_knows_what_it_has_told(tmp_path: Path) -> None:
    rows = [*stay("shelf-denim", "AA01", NOON, 1_000, 10), online("till-1-pad", NOON + 60_000)]
    with log.LogWriter(tmp_path / "log", STORED_SCHEMA) as writer:
        writer.append(to_batch(rows))
    assert told_until(tmp_path / "new", tmp_path / "log", 500) == 0, "nothing has been read yet"
    log.commit(tmp_path / "log", "spark", 10)
    assert told_until(tmp_path / "lost", tmp_path / "log", 500) == NOON + 9_000 - 500
    log.commit(tmp_path / "log", "spark", 11)
    assert told_until(tmp_path / "lost", tmp_path / "log", 500) == NOON + 9_000 - 500, (
        "kept for the next start"
    )
    (tmp_path / "there" / "offsets").mkdir(parents=True)
    assert told_until(tmp_path / "there", tmp_path / "log", 500) == 0, "a checkpoint knows for itself"


def test_a_position_that_a_power_cut_has_emptied_is_no_position(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    log.commit(tmp_path / "log", "spark", 5)
    [mark] = (tmp_path / "log").glob("spark.*")
    mark.write_text("")
    assert log.committed(tmp_path / "log") == {"spark": 0}


def test_a_checkpoint_elsewhere_is_not_left_out_silently(tmp_path: Path) -> None:
    chosen = Settings(data=tmp_path, spark_checkpoint="hdfs://far/away")
    with pytest.raises(BackupError, match="checkpoint is at hdfs://far/away, which this does not reach"):
        backup(chosen, tmp_path / "copy.tar.gz", 1)


def test_a_site_that_is_restored_leaves_the_others_of_its_store_alone(tmp_path: Path, store_url: str) -> None:
    north, south = (
        Settings(site=name, data=tmp_path / name, store_url=store_url) for name in ("north", "south")
    )
    engines = [stores.open_store(store_url, one.site) for one in (north, south)]
    for engine in engines:
        _raise_one(engine, "kept")
    backup(north, tmp_path / "north.tar.gz", NOON)
    for engine in engines:
        _raise_one(engine, "later")
    with pytest.raises(BackupError, match="a backup of the site north, and this is the site south"):
        restore(south, tmp_path / "north.tar.gz", replace=True)
    restore(north, tmp_path / "north.tar.gz", replace=True)
    assert [[one.id for one in stores.all_alerts(engine, Filter())] for engine in engines] == [
        ["kept"],
        ["kept", "later"],
    ]
    assert [len(stores.unsent(engine)) for engine in engines] == [2, 4]
    assert [step.action for step in stores.alert_history(engines[0], "kept")] == ["raised"]
    for engine in engines:
        engine.dispose()


def test_a_backup_of_an_earlier_version_does_not_go_where_other_sites_are(store_url: str) -> None:
    north, south = (stores.open_store(store_url, name) for name in ("north", "south"))
    _raise_one(north, "kept")
    assert dump.why_not(north, "0005") == ""
    assert "another one" in dump.why_not(south, "0005")
    assert dump.why_not(south, dump.newest_revision(south)) == ""
    for engine in (north, south):
        engine.dispose()


def _raise_one(engine: sa.Engine, name: str) -> None:
    evidence = Evidence("", {}, ())
    alert = Alert(name, "s", "d", "1", "low", "", "T", "", 0, 0, 0, "", "", evidence)
    stores.record_alerts(engine, [alert], NOON)
