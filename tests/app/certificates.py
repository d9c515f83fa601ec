"""Certificates for 127.0.0.1, by openssl."""

from __future__ import annotations

import subprocess
from pathlib import Path


def certificate(folder: Path, name: str, *signer: str) -> None:
    """NAME.pem and NAME.key; `signer` are openssl's words for who signs it, else it signs itself."""
    subject = ["-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.pem")]
    kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    subprocess.run(["openssl", "req", *kind, *subject, *files, *signer], check=True, capture_output=True)
