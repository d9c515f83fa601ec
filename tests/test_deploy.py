"""deploy/ starts nothing that Vigil does not have: its commands, their options, its settings, its files."""

from __future__ import annotations

import re
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from app import cli, settings
from app.hub.folders import Chain, write
from app.hub.nodes import nodes
from app.settings import PREFIX, Settings

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
COMPOSED = sorted(DEPLOY.glob("*/compose.yaml"))
UNITS = sorted(DEPLOY.glob("systemd/*.service"))
INSTALLED = "/opt/vigil/bin/vigil"
OURS = "vigil"  # the image that deploy/Dockerfile makes

each_composed = pytest.mark.parametrize("path", COMPOSED, ids=[path.parent.name for path in COMPOSED])
each_unit = pytest.mark.parametrize("path", UNITS, ids=[path.stem for path in UNITS])


def services(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text())["services"]
    return found


def entries(path: Path) -> dict[str, list[str]]:
    """The lines of a unit by their names."""
    found: dict[str, list[str]] = {}
    for line in path.read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def variables(path: Path) -> Iterator[str]:
    yield from (line.split("=", 1)[0] for line in path.read_text().splitlines() if line[:1].isalpha())


def accepted(words: list[str]) -> None:
    """By the very parser of the command; SystemExit if it does not know a word of it."""
    cli.parser(words[0]).parse_args(words)


@each_composed
def test_what_a_container_of_ours_runs_is_a_command(path: Path) -> None:
    ours = [one for one in services(path).values() if one["image"] == OURS]
    assert ours
    for one in ours:
        accepted(one["command"])


@each_unit
def test_what_a_unit_runs_is_a_command(path: Path) -> None:
    [line] = entries(path)["ExecStart"]
    program, *words = shlex.split(line)
    assert program == INSTALLED
    accepted(words)


def test_a_word_that_no_command_knows_is_found() -> None:
    with pytest.raises(SystemExit):
        accepted(["ingest", "--to-the-moon"])


@each_composed
def test_what_stands_in_an_environment_is_a_setting(path: Path) -> None:
    known = {f"{PREFIX}{name.upper()}" for name in Settings.__dataclass_fields__}
    ours = [one for one in services(path).values() if one["image"] == OURS]
    named = {name for one in ours for name in one.get("environment", {})}
    files = [path.parent / file for one in ours for file in one.get("env_file", []) if file.count("/") == 1]
    named |= {name for file in files for name in variables(file)}
    assert named
    assert named - known == set()


@each_unit
def test_what_stands_in_a_units_environment_is_a_setting(path: Path) -> None:
    known = {f"{PREFIX}{name.upper()}" for name in Settings.__dataclass_fields__}
    assert {line.partition("=")[0] for line in entries(path).get("Environment", [])} - known == set()


@each_composed
def test_services_name_only_each_other_and_volumes_that_are_declared(path: Path) -> None:
    whole = yaml.safe_load(path.read_text())
    for one in whole["services"].values():
        named = {*one.get("depends_on", []), *re.findall(r"service:(.*)", one.get("network_mode", ""))}
        assert named - set(whole["services"]) == set()
        kept = [volume.split(":")[0] for volume in one.get("volumes", [])]
        assert {name for name in kept if not name.startswith(".")} - set(whole["volumes"]) == set()


def test_the_files_that_are_mounted_are_those_that_the_command_writes_and_serves(tmp_path: Path) -> None:
    hosts = [name for name in services(DEPLOY / "head-office" / "compose.yaml") if name.startswith("node")]
    write(tmp_path / "chain", Chain(nodes(hosts), {"north": 4222}))
    (tmp_path / "chain" / "store-north").rename(tmp_path / "store")
    named = [volume.split(":")[0] for path in COMPOSED for volume in _mounted(path)]
    theirs = [name for name in named if name.startswith(("./chain/", "./store"))]
    assert theirs
    assert [name for name in theirs if not (tmp_path / name).exists()] == []


def test_units_stand_the_check_of_systemd(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed")
    vigil = tmp_path / "vigil"
    vigil.write_text(f"#!{sys.executable}\n")
    vigil.chmod(vigil.stat().st_mode | stat.S_IXUSR)
    for path in UNITS:
        (tmp_path / path.name).write_text(path.read_text().replace(INSTALLED, str(vigil)))
    copies = [str(tmp_path / path.name) for path in UNITS]
    found = subprocess.run(
        [program, "verify", "--man=no", *copies], check=False, capture_output=True, text=True
    )
    said = [line for line in found.stderr.splitlines() if str(tmp_path) in line or "vigil-" in line]
    assert said == []


def test_settings_that_the_command_writes_are_settings(tmp_path: Path) -> None:
    write(tmp_path / "chain", Chain(nodes(["127.0.0.1"]), {"north": 4222}))
    own = tmp_path / "chain" / "store-north"
    chosen = settings.load(own / "vigil.toml", dict([(own / "vigil.env").read_text().strip().split("=")]))
    assert (chosen.site, chosen.log_hub, str(chosen.log)) == ("north", "HUB", "nats://127.0.0.1:4222/north")


def _mounted(path: Path) -> list[str]:
    found = services(path).values()
    return [name for one in found for name in (*one.get("volumes", []), *one.get("env_file", []))]
