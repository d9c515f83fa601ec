"""What can be wrong with a log, said so that an operator knows what to do."""

from __future__ import annotations

from pathlib import Path


class LogError(Exception):
    """The log cannot do what was asked."""


class LogBusyError(LogError):
    def __init__(self, where: object) -> None:
        super().__init__(
            f"{where} is being written by another process, and one log has one writer. Stop the other one."
        )


class LogTrimmedError(LogError):
    def __init__(self, where: object, wanted: int, earliest: int) -> None:
        super().__init__(
            f"{where} no longer holds position {wanted}: retention has removed what came before {earliest}. "
            f"Start the query with a new checkpoint, or read from position {earliest}."
        )


class LogDamagedError(LogError):
    def __init__(self, path: Path, offset: int) -> None:
        super().__init__(
            f"{path} is damaged at byte {offset}: its checksum does not fit. "
            "If it is the last segment, restarting ingest repairs it; else restore the file from a copy."
        )


class StreamDamagedError(LogDamagedError):
    def __init__(self, where: object, sequence: int, fault: str) -> None:
        LogError.__init__(
            self,
            f"{where} is damaged at message {sequence}: {fault}. Nobody but Vigil may write to the stream or "
            "delete from it. Copy what is whole with `vigil log copy`, or restore the stream.",
        )


class LogUnreachableError(LogError):
    def __init__(self, where: object, error: Exception) -> None:
        super().__init__(f"{where} does not answer: {error}. See that its server is up, and check log_url.")


class LogDeniedError(LogError):
    """Trying again will not help."""

    def __init__(self, where: object, said: str) -> None:
        super().__init__(f"{where}: {said}. Check log_user, VIGIL_LOG_PASSWORD and the certificates.")
