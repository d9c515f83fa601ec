"""From a fresh clone to the first alert: a clean home, an environment of its own, and no Java on the PATH."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PATIENCE_SECONDS = 1800.0
TOOLS = ("make", "sh", "touch", "rm", "env", "uname", "git")


@pytest.mark.soak
@pytest.mark.timeout(2 * PATIENCE_SECONDS)
def test_make_demo_reaches_its_first_alert(tmp_path: Path) -> None:
    clone, output = tmp_path / "vigil", tmp_path / "output.txt"
    subprocess.run(["git", "clone", "--quiet", os.getcwd(), str(clone)], check=True)
    command = ["make", "demo", f"PYTHON={sys.executable}"]
    with output.open("wb") as file:
        demo = subprocess.Popen(
            command, cwd=clone, env=bare(tmp_path), stdout=file, stderr=file, start_new_session=True
        )
    deadline = time.monotonic() + PATIENCE_SECONDS
    while "First alert" not in output.read_text():
        assert demo.poll() is None, output.read_text()
        assert time.monotonic() < deadline, output.read_text()
        time.sleep(1)
    os.killpg(demo.pid, signal.SIGINT)
    demo.wait(120)
    assert "Everything has stopped" in output.read_text()


def bare(folder: Path) -> dict[str, str]:
    """Only the tools that `make demo` asks for; where packages come from is the machine's own affair."""
    programs = folder / "bin"
    programs.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None, tool
        (programs / tool).symlink_to(found)
    packages = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    packages.setdefault("PIP_CONFIG_FILE", str(Path.home() / ".config" / "pip" / "pip.conf"))
    return packages | {"HOME": str(folder), "PATH": str(programs), "LANG": "C.UTF-8"}
