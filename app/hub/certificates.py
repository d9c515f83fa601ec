"""An authority of the chain's own and a certificate of each node, by openssl; what lasts stays."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from app.hub.nodes import Node

AUTHORITY, SERVER = "authority", "server"
_AUTHORITY_DAYS, _SERVER_DAYS = 3_650, 825
_RENEW_S = 60 * 86_400


def make_authority(folder: Path) -> None:
    _make(folder, AUTHORITY, "Vigil chain", ["basicConstraints=critical,CA:TRUE"], [], _AUTHORITY_DAYS)


def make_server(folder: Path, node: Node, signed_in: Path) -> None:
    """Good for both ends of a link between two nodes."""
    means = [f"subjectAltName={node.also_called}", "basicConstraints=critical,CA:FALSE"]
    signer = ["-CA", str(signed_in / f"{AUTHORITY}.pem"), "-CAkey", str(signed_in / f"{AUTHORITY}.key")]
    _make(folder, SERVER, node.name, means, signer, _SERVER_DAYS)


def _make(folder: Path, name: str, title: str, means: list[str], signer: list[str], days: int) -> None:
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    if certificate.exists() and _openssl("x509", "-in", str(certificate), "-checkend", str(_RENEW_S)):
        return
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    words = [word for mean in means for word in ("-addext", mean)]
    files = ["-keyout", str(key), "-out", str(certificate), "-subj", f"/CN={title}", "-days", str(days)]
    # Without a configuration of the machine's own, which may add what contradicts.
    if not _openssl("req", *kind, *files, *words, *signer, "-config", os.devnull):
        raise OSError(f"openssl could not make {certificate}")
    key.chmod(0o600)


def _openssl(*words: str) -> bool:
    program = shutil.which("openssl")
    if program is None:
        raise FileNotFoundError("openssl is not installed: it makes the certificates of the servers")
    return subprocess.run([program, *words], check=False, capture_output=True).returncode == 0
