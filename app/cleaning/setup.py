"""What cleaning works with; light to import, because every process of Spark's names it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.log_address import LogAddress

SNAPSHOTS = "cleaning"  # in the folder of checkpoints
CATALOGS, LEARNED = "catalogs", "learned"  # in that of the snapshots


@dataclass(frozen=True)
class CleaningSetup:
    """The scenario's file, the log, a folder to keep snapshots in, and how late a reading may come."""

    scenario: Path
    log: LogAddress
    snapshots: Path
    lateness_ms: int

    @property
    def catalogs(self) -> Path:
        """Where the catalogs are kept that the log names."""
        return self.snapshots / CATALOGS

    @property
    def learned(self) -> Path:
        """Where the versions of what was learned are kept that the log names."""
        return self.snapshots / LEARNED
