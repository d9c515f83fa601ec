"""The durable log: positions, checksummed frames in segment files, one writer, any number of readers."""

from app.log.errors import LogBusyError, LogDamagedError, LogError, LogTrimmedError
from app.log.progress import LISTENING, Mark, commit, committed, listening
from app.log.reader import Place, earliest, end, place, ranges, read, tail
from app.log.retention import Retention, size, trim
from app.log.writer import LogWriter, Repair

__all__ = [
    "LISTENING",
    "LogBusyError",
    "LogDamagedError",
    "LogError",
    "LogTrimmedError",
    "LogWriter",
    "Mark",
    "Place",
    "Repair",
    "Retention",
    "commit",
    "committed",
    "earliest",
    "end",
    "listening",
    "place",
    "ranges",
    "read",
    "size",
    "tail",
    "trim",
]
