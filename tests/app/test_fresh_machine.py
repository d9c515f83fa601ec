"""From a fresh clone to the first alert: a clean home, an environment of its own, and no Java on the PATH."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.app.demo.test_demo import bare

PATIENCE_SECONDS = 1800.0


@pytest.mark.soak
@pytest.mark.timeout(2 * PATIENCE_SECONDS)
def test_make_demo_reaches_its_first_alert(tmp_path: Path) -> None:
    clone, output = tmp_path / "vigil", tmp_path / "output.txt"
    subprocess.run(["git", "clone", "--quiet", os.getcwd(), str(clone)], check=True)
    command = ["make", "demo", f"PYTHON={sys.executable}"]
    with output.open("wb") as file:
        demo = subprocess.Popen(
            command, cwd=clone, env=fresh(tmp_path), stdout=file, stderr=file, start_new_session=True
        )
    try:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while "First alert" not in output.read_text():
            assert demo.poll() is None, output.read_text()
            assert time.monotonic() < deadline, output.read_text()
            time.sleep(1)
    finally:
        os.killpg(demo.pid, signal.SIGINT)
        demo.wait(120)
    assert "Everything has stopped" in output.read_text()


def fresh(folder: Path) -> dict[str, str]:
    """Nothing of this environment; where packages come from is the machine's own affair."""
    packages = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    packages.setdefault("PIP_CONFIG_FILE", str(Path.home() / ".config" / "pip" / "pip.conf"))
    inherited = bare(folder)
    del inherited["PYTHONPATH"]
    return packages | inherited
