"""What can be wrong with a log, said so that an operator knows what to do."""

from __future__ import annotations

from pathlib import Path


class LogError(Exception):
    """The log cannot do what was asked."""


class LogBusyError(LogError):
    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} is being written by another process, and one log has one writer. Stop the other one."
        )


class LogTrimmedError(LogError):
    def __init__(self, folder: Path, wanted: int, earliest: int) -> None:
        super().__init__(
            f"{folder} no longer holds position {wanted}: retention has removed what came before {earliest}. "
            f"Start the query with a new checkpoint, or read from position {earliest}."
        )


class LogDamagedError(LogError):
    def __init__(self, path: Path, offset: int) -> None:
        super().__init__(
            f"{path} is damaged at byte {offset}: its checksum does not fit. "
            "If it is the last segment, restarting ingest repairs it; else restore the file from a copy."
        )
