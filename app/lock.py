"""A lock on a file: who has it is alone, and the system takes it back when the process ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def lock(path: Path) -> int:
    """The descriptor that holds the lock; BlockingIOError if another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise
    return descriptor
