"""What `vigil hub config` writes: no secret where none belongs, and the same again."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path

import pytest

from app.cli import main
from app.hub.nodes import Node, NodeError, nodes
from app.mqtt.embedded import program


def config(folder: Path, *sites: str, hosts: tuple[str, ...] = ("a.example.org", "10.0.0.2", "::1")) -> int:
    words = [word for host in hosts for word in ("--node", f"[{host}]" if ":" in host else host)]
    return main(["hub", "config", str(folder), *words, *(word for one in sites for word in ("--site", one))])


def secrets(folder: Path) -> set[str]:
    known = json.loads((folder / "passwords.json").read_text())
    return {known["head"], known["system"], *known["links"].values(), *known["ingests"].values()}


def files(folder: Path) -> dict[Path, str]:
    return {path.relative_to(folder): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "chain"


def test_secrets_are_for_their_owner_alone_and_stand_in_few_files(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert config(folder, "north", "south") == 0
    found, known = files(folder), secrets(folder)
    assert len(known) == 6
    holding = {path.name for path, text in found.items() if any(one in text for one in known)}
    assert holding == {"passwords.json", "passwords.conf", "vigil.env"}
    private = [path for path, text in found.items() if path.suffix != ".pem"]
    assert {stat.S_IMODE((folder / path).stat().st_mode) for path in private} == {0o600}
    folders = [path for path in [folder, *folder.iterdir()] if path.is_dir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}
    said = capsys.readouterr()
    assert not [one for one in known if one in said.out + said.err]


def test_a_store_is_told_its_own_password_and_no_other(folder: Path) -> None:
    config(folder, "north", "south")
    known = json.loads((folder / "passwords.json").read_text())
    north = "".join(files(folder / "store-north").values())
    assert known["links"]["north"] in north
    others = {known["head"], known["links"]["south"], known["ingests"]["south"]}
    assert not [one for one in others if one in north]


def test_called_again_it_writes_the_same_and_leaves_settings_alone(folder: Path) -> None:
    config(folder, "north", "south")
    own = folder / "store-north" / "vigil.toml"
    own.write_text(own.read_text() + "silence_s = 30\n")
    before = files(folder)
    config(folder, "north", "south")
    assert files(folder) == before


def test_a_new_site_comes_in_and_one_that_is_gone_is_let_in_no_more(folder: Path) -> None:
    config(folder, "north", "south")
    before = secrets(folder)
    config(folder, "north", "east")
    assert len(secrets(folder) & before) == 4
    node = (folder / "node-1" / "nats.conf").read_text()
    assert "store-east" in node
    assert "south" not in node + (folder / "node-1" / "passwords.conf").read_text()


@pytest.mark.parametrize("name", ["node-1", "node-3", "store-north"])
def test_the_server_understands_what_is_written(folder: Path, name: str) -> None:
    config(folder, "north")
    command = [str(program()), "-t", "-c", "nats.conf"]
    checked = subprocess.run(command, cwd=folder / name, check=False, capture_output=True, text=True)
    assert (checked.returncode, "valid" in checked.stdout + checked.stderr) == (0, True)


def test_a_nodes_certificate_is_for_its_address_and_signs_nothing(folder: Path) -> None:
    config(folder)
    for name, also in (("node-1", "DNS:a.example.org"), ("node-2", "IP Address:10.0.0.2")):
        command = ["openssl", "x509", "-in", str(folder / name / "server.pem"), "-noout", "-text"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert also in said
        assert "CA:FALSE" in said


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        (["a", "b"], "1, 3 or 5 nodes"),
        ([], "1, 3 or 5 nodes"),
        (["a:99999"], "port up to"),
        (["a b"], "HOST or HOST:PORT"),
        (['a"; x'], "HOST or HOST:PORT"),
        (["a", "b", "a"], "an address of its own"),
    ],
)
def test_what_is_no_hub_is_said(texts: list[str], fault: str) -> None:
    with pytest.raises(NodeError, match=fault):
        nodes(texts)


def test_ports_are_those_of_nats_unless_one_is_given() -> None:
    plain, other = Node(1, "a"), Node(2, "b", 5_000)
    assert (plain.port, plain.routes_port, plain.leaves_port) == (4222, 6222, 7422)
    assert (other.routes_port, other.leaves_port) == (7_000, 8_200)


@pytest.mark.parametrize("site", ["../north", "North", "north:0", "north:x", "a b", ">"])
def test_a_site_that_can_be_none_is_refused_before_anything_is_written(folder: Path, site: str) -> None:
    assert config(folder, site) == 1
    assert not folder.exists()


def test_a_folder_without_a_server_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hub", "serve", str(folder)]) == 1
    assert "`vigil hub config` writes it" in capsys.readouterr().err
