"""What cleaning works with; light to import, because every process of Spark's names it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SNAPSHOTS = "cleaning"  # in the folder of checkpoints
CATALOGS = "catalogs"  # in that of the snapshots


@dataclass(frozen=True)
class CleaningSetup:
    """The scenario's file, the log, a folder to keep snapshots in, and how late a reading may come."""

    scenario: Path
    log: Path
    snapshots: Path
    lateness_ms: int

    @property
    def catalogs(self) -> Path:
        """Where the catalogs are kept that the log names."""
        return self.snapshots / CATALOGS
