"""The README tells the truth: its commands run, they print what it shows, and its links lead somewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import detectors

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
# These two set the machine up and take minutes: CI and the end-to-end tests run them.
EXEMPT = ("make demo\n", "make test\n")
BLOCKS = [block for block in re.findall(r"^```sh\n(.*?)^```$", TEXT, re.M | re.S) if block not in EXEMPT]
SHOWN = re.findall(r"^```sh\n([^`]*?)^```\n\n```text\n(.*?)^```$", TEXT, re.M | re.S)
LINKS = re.findall(r"\]\(([^)#:]+)\)", TEXT)


def output(block: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(
        ["sh", "-e", "-c", block],
        cwd=ROOT,
        env=os.environ | {"PATH": path, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("block", BLOCKS)
def test_a_command_of_the_readme_runs(block: str) -> None:
    assert output(block)


@pytest.mark.parametrize(("block", "shown"), SHOWN)
def test_a_command_of_the_readme_prints_what_is_shown(block: str, shown: str) -> None:
    printed = output(block)
    assert [line.rstrip() for line in printed.splitlines()] == shown.splitlines()


def test_the_exempt_commands_are_still_in_the_readme() -> None:
    assert [block for block in EXEMPT if f"```sh\n{block}```" not in TEXT] == []


def test_every_link_of_the_readme_leads_to_a_file() -> None:
    assert [link for link in LINKS if not (ROOT / link).exists()] == []


def test_every_page_of_the_docs_is_in_the_readme() -> None:
    pages = {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    assert sorted(pages - set(LINKS)) == []


def test_the_detector_of_the_readme_works(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "detectors", tmp_path / "detectors"))
    name = re.findall(r"^`detectors/(.*\.yaml)`:$", TEXT, re.M)
    shown = re.findall(r"^```yaml\n(.*?)^```$", TEXT, re.M | re.S)
    (folder / name[0]).write_text(shown[0], encoding="utf-8")
    detector = detectors.load(folder)["left_in_fitting_room"]
    dress = {"id": "DRESS-1", "name": "Dress", "area": "fitting", "dwell": 0}
    shirt = {**dress, "id": "SHIRT-2", "name": "Shirt"}
    (match,) = detector.compile().match(
        [
            {"event": "FITTING-READING", "ts": 0, **dress},
            {"event": "FITTING-READING", "ts": 1_000, **shirt},
            {"event": "FITTING-LEFT", "ts": 600_000, **shirt},
        ]
    )
    assert detector.subject_of(match) == "DRESS-1"
    assert detector.explain(match) == (
        "Dress (DRESS-1) came to fitting at 00:00:00 and is still there after 30 minutes."
    )
