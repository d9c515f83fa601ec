"""The README tells the truth: its commands run, they print what it shows, and its links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
