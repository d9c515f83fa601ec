"""The commands with which a site is operated: accounts, status, and words for what is wrong."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from app import store as stores
from app.cli import main
from app.running import status
from app.store import Alert, Evidence, ReaderState


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIGIL_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def typed(monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))


def test_the_first_admin_is_made_by_command(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "correct horse")
    assert main(["user", "add", "ada", "--role", "admin"]) == 0
    engine = stores.open_store(f"sqlite:///{data / 'store.db'}")
    account = stores.authenticate(engine, "ada", "correct horse")
    engine.dispose()
    assert account is not None
    assert account.role == "admin"


def test_accounts_are_listed_without_their_hashes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "correct horse")
    main(["user", "add", "stan"])
    main(["user", "close", "stan"])
    assert main(["user", "list"]) == 0
    assert capsys.readouterr().out.split() == ["stan", "staff", "closed"]


def test_a_password_that_is_too_short_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "short")
    assert main(["user", "add", "stan"]) == 1
    assert capsys.readouterr().err == "vigil user: a password needs at least 10 characters\n"


@pytest.mark.parametrize("command", [["demo", "nowhere"], ["run", "nowhere"], ["pipeline", "nowhere"]])
def test_an_unknown_scenario_is_told_with_those_there_are(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 1
    assert "there is no scenario nowhere: one of home, library, quiet_day, " in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [["run", "store"], ["pipeline", "store"], ["status"], ["doctor"], ["user", "list"]]
)
def test_faulty_settings_stop_every_command_with_all_faults(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VIGIL_LATENESS_MS", "soon")
    monkeypatch.setenv("VIGIL_STORE_URL", "mysql://x")
    assert main(command) == 1
    told = capsys.readouterr().err
    assert "VIGIL_LATENESS_MS: a whole number expected" in told
    assert "mysql is not" in told


def test_status_is_good_only_if_every_part_is_up(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status"]) == 1
    engine = stores.open_store(f"sqlite:///{data / 'store.db'}")
    stores.record_part(engine, "ingest", "up", "", now_ms=2**42)
    with stores.writing(engine) as connection:
        stores.record_readers(connection, [ReaderState("R1", "a", last_seen_ms=5), ReaderState("R2", "a")])
    engine.dispose()
    assert main(["status"]) == 0
    assert "1 of 2 heard" in capsys.readouterr().out


def test_status_and_doctor_create_nothing(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(data.parent.rglob("*"))
    assert main(["status"]) == 1
    main(["doctor"])
    assert sorted(data.parent.rglob("*")) == before
    told = capsys.readouterr()
    assert "nothing has run there yet" in told.err
    assert "is not there yet: the first start makes it" in " ".join(told.out.split())


def test_status_finds_a_demo_that_is_running(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine = stores.open_store(f"sqlite:///{data / 'demo' / 'store.db'}")
    stores.record_part(engine, "ingest", "up", "", now_ms=2**42)
    assert main(["status"]) == 0
    assert "the demo in " in capsys.readouterr().out
    own = stores.open_store(f"sqlite:///{data / 'store.db'}")
    stores.record_part(own, "pipeline", "up", "", now_ms=2**42)
    assert main(["status"]) == 0
    assert "pipeline" in capsys.readouterr().out
    for one in (engine, own):
        one.dispose()


def test_a_store_that_no_waiting_heals_is_told_in_words(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data.mkdir(exist_ok=True)
    (data / "store.db").write_text("a letter to my aunt " * 200)
    assert main(["status"]) == 1
    assert main(["run", "store"]) == 1
    told = capsys.readouterr().err
    assert "vigil status: the store cannot be used: the file is no SQLite database" in told
    assert "vigil run: the store cannot be used: the file is no SQLite database" in told


def test_a_part_that_gives_no_sign_of_life_is_gone(data: Path) -> None:
    engine = stores.open_store(f"sqlite:///{data / 'store.db'}")
    stores.record_part(engine, "ingest", "up", "", now_ms=1_000)
    [line] = status.parts(engine, now_ms=1_000 + status.GONE_MS)
    engine.dispose()
    assert (line.state, line.detail) == ("gone", "for 15 s")


def test_the_demo_never_deletes_a_folder_that_is_not_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "precious").write_text("")
    assert main(["demo", "store", "--data", str(tmp_path)]) == 1
    assert "is not a demo's folder" in capsys.readouterr().err
    assert (tmp_path / "precious").exists()


def test_alerts_are_exported_by_command(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine = stores.open_store(f"sqlite:///{data / 'store.db'}")
    stores.record_alerts(engine, [alert("a1", "shoplifting", 0), alert("a2", "misplaced", 60_000)], now_ms=1)
    engine.dispose()
    assert main(["export"]) == 0
    assert [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()] == ["a1", "a2"]
    assert main(["export", "--csv", "--from", "1970-01-01T00:00:30"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.startswith("id,scenario,detector,")
    assert [line.split(",")[:3] for line in lines] == [["a2", "shop", "misplaced"]]


def test_an_export_ends_quietly_when_nobody_reads_on(data: Path) -> None:
    engine = stores.open_store(f"sqlite:///{data / 'store.db'}")
    stores.record_alerts(engine, [alert(f"a{n}", "shoplifting", n) for n in range(2_000)], now_ms=1)
    engine.dispose()
    command = [sys.executable, "-m", "app.cli", "export"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as exporting:
        assert exporting.stdout is not None
        assert exporting.stderr is not None
        exporting.stdout.readline()
        exporting.stdout.close()
        assert exporting.stderr.read() == b""
        assert exporting.wait() == 0


def alert(id: str, detector: str, at_ms: int) -> Alert:
    evidence = Evidence("", {}, ())
    return Alert(id, "shop", detector, "1", "high", "", "T1", "", at_ms, at_ms, at_ms, "", "", evidence)


def test_sites_are_added_listed_and_removed_by_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["site", "add", "north", "store", "--title", "North Street"]) == 0
    assert main(["site", "add", "south", "ward"]) == 0
    capsys.readouterr()
    assert main(["site", "list"]) == 0
    listed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [(line[0], line[1], line[-2]) for line in listed] == [
        ("north", "North", "store"),
        ("south", "Hospital", "ward"),
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["site", "remove", "south"]) == 1
    assert "--yes" in capsys.readouterr().err
    assert main(["site", "remove", "south", "--yes"]) == 0
    typed(monkeypatch, "correct horse")
    assert main(["user", "add", "stan", "--site", "north"]) == 0
    assert main(["user", "sites", "stan", "south"]) == 1
    assert "no site south" in capsys.readouterr().err
    main(["user", "list"])
    assert capsys.readouterr().out.split() == ["stan", "staff", "north"]


@pytest.mark.parametrize("name", ["a/b", "#", "x" * 5_000, "readings"])
def test_a_site_that_cannot_be_called_so_is_refused_in_words(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["site", "add", name, "store"]) == 1
    [words] = capsys.readouterr().err.splitlines()
    assert words.startswith("vigil site: ")
    assert len(words) < 200


def test_a_site_that_nobody_has_added_is_not_watched(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VIGIL_SITE", "north")
    assert main(["run"]) == 1
    assert "vigil site add north SCENARIO" in capsys.readouterr().err
    monkeypatch.delenv("VIGIL_SITE")
    assert main(["run"]) == 1
    assert "which place?" in capsys.readouterr().err
