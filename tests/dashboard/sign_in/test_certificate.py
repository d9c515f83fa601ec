"""The pages by TLS, with the certificate that the settings name."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from app import store
from tests.app.certificates import certificate
from tests.dashboard.servers import free_port

PATIENCE_S = 120.0


def answered(url: str, trusted: Path, process: subprocess.Popen[bytes]) -> int:
    """What comes, once the server is up; only a certificate of `trusted` is believed."""
    context, until = ssl.create_default_context(cafile=str(trusted)), time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(url, timeout=5, context=context) as answer:
                return int(answer.status)
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise TimeoutError(f"nothing at {url}")


def test_the_pages_are_served_with_the_certificate_of_the_settings(tmp_path: Path) -> None:
    certificate(tmp_path, "pages")
    store.open_store(f"sqlite:///{tmp_path / 'store.db'}").dispose()
    port = free_port()
    chosen = {
        "VIGIL_DATA": str(tmp_path),
        "VIGIL_DASHBOARD_PORT": str(port),
        "VIGIL_DASHBOARD_CERTIFICATE": str(tmp_path / "pages.pem"),
        "VIGIL_DASHBOARD_KEY": str(tmp_path / "pages.key"),
    }
    command = [sys.executable, "-m", "app.cli", "dashboard", "store"]
    process = subprocess.Popen(command, env={**os.environ, **chosen})
    try:
        assert answered(f"https://127.0.0.1:{port}/healthz", tmp_path / "pages.pem", process) == 200
    finally:
        process.kill()
        process.wait()
