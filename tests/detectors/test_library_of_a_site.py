"""A site's own detectors: beside Vigil's, in place of one of the same name, and noticed when they change."""

import os
from pathlib import Path

import pytest

import detectors
from app.cli import main
from detectors import library
from detectors.document import FaultyFileError
from tests.detectors.test_load import GOOD

MINE = GOOD.replace("EVENT SEQ(A x, !(B y))", "EVENT SEQ(SHELF-READING x, !(SHELF-LEFT y))")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "our detectors"
    made.mkdir()
    monkeypatch.setenv(library.SITE, str(made))
    return made


def write(path: Path, text: str) -> None:
    """With a time of its own, however fast the tests write."""
    path.write_text(text)
    stamp = path.stat().st_mtime_ns + len(text) * 1_000_003
    os.utime(path, ns=(stamp, stamp))


def test_a_sites_detector_stands_beside_ours(folder: Path) -> None:
    write(folder / "thing.yaml", MINE)
    known = detectors.load()
    assert known["thing"].title == "A thing"
    assert "shoplifting" in known
    assert library.of_site() == {"thing"}


def test_of_two_with_one_name_the_sites_counts(folder: Path) -> None:
    (folder / "retail").mkdir()
    write(folder / "retail" / "shoplifting.yaml", MINE.replace("A thing", "Ours"))
    assert detectors.load()["shoplifting"].title == "Ours"


def test_a_change_is_noticed_by_the_next_who_asks(folder: Path) -> None:
    assert "thing" not in detectors.load()
    write(folder / "thing.yaml", MINE)
    first = detectors.load()["thing"]
    write(folder / "thing.yaml", MINE.replace("A thing", "Another thing"))
    assert (first.title, detectors.load()["thing"].title) == ("A thing", "Another thing")
    (folder / "thing.yaml").unlink()
    assert "thing" not in detectors.load()


def test_a_fault_leaves_what_was_there_and_is_told(folder: Path) -> None:
    write(folder / "thing.yaml", MINE)
    detectors.load()
    write(folder / "thing.yaml", MINE.replace("severity: low", "severity: lowish"))
    assert detectors.load()["thing"].severity == "low"
    [fault] = library.faults()
    assert str(fault).startswith(f"{folder / 'thing.yaml'}:2: ")
    write(folder / "thing.yaml", MINE.replace("severity: low", "severity: high"))
    assert (detectors.load()["thing"].severity, library.faults()) == ("high", ())


def test_who_begins_with_a_fault_is_told_at_once(folder: Path) -> None:
    write(folder / "thing.yaml", MINE.replace("EVENT SEQ", "EVENT SQE"))
    with pytest.raises(FaultyFileError, match=r"thing\.yaml:5"):
        detectors.load()


def test_vigil_check_reads_the_folder_that_the_settings_name(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder of the fixture is put back by it, whatever the command sets."""
    write(folder / "thing.yaml", MINE.replace("severity: low", "severity: lowish"))
    settings = tmp_path / "vigil.toml"
    settings.write_text(f'detectors = "{folder}"\n')
    assert main(["check", "--settings", str(settings)]) == 1
    assert "thing.yaml:2" in capsys.readouterr().err
    write(folder / "thing.yaml", MINE)
    assert main(["check", "--settings", str(settings)]) == 0
