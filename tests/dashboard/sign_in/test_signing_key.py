"""The key of the sign-ins outlives the dashboard, and nobody else can read or guess it."""

from __future__ import annotations

from pathlib import Path

from dashboard.sign_in import signing_key


def test_a_folder_keeps_its_key(tmp_path: Path) -> None:
    first = signing_key.kept(tmp_path / "data")
    assert len(first) == 64
    assert signing_key.kept(tmp_path / "data") == first


def test_each_folder_has_a_key_of_its_own(tmp_path: Path) -> None:
    assert signing_key.kept(tmp_path / "a") != signing_key.kept(tmp_path / "b")


def test_nobody_else_may_read_it_and_nothing_else_is_left(tmp_path: Path) -> None:
    signing_key.kept(tmp_path)
    [file] = tmp_path.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_key_cut_short_is_replaced(tmp_path: Path) -> None:
    first = signing_key.kept(tmp_path)
    (tmp_path / signing_key.FILE).write_text(first[:5])
    assert len(signing_key.kept(tmp_path)) == 64
    assert signing_key.kept(tmp_path)[:5] != first[:5]


def test_a_key_that_others_could_read_is_replaced(tmp_path: Path) -> None:
    first = signing_key.kept(tmp_path)
    (tmp_path / signing_key.FILE).chmod(0o644)
    assert signing_key.kept(tmp_path) != first
