"""Runs a vigil command that must not outlive its supervisor: when the pipe to it closes, the command ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

from app.cli import main

GRACE_SECONDS = 5.0


def hold() -> None:
    """Watch standard input, which nobody writes to: its end means that the supervisor is gone."""
    threading.Thread(target=_wait_for_the_end, daemon=True).start()


def _wait_for_the_end() -> None:
    while os.read(0, 1024):
        continue
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os.killpg(os.getpgid(0), signal.SIGKILL)


if __name__ == "__main__":
    hold()
    sys.exit(main(sys.argv[1:]))
