"""The durable log: positions, checksummed frames in segment files, one writer, any number of readers."""

from app.log.by_position import SeekPoint, bounded_end, earliest, end, ranges, read, seek_point, tail
from app.log.errors import LogBusyError, LogDamagedError, LogError, LogTrimmedError
from app.log.progress import Mark, commit, committed
from app.log.retention import LogRetention, size, trim
from app.log.writer import LogWriter, Repair

__all__ = [
    "LogBusyError",
    "LogDamagedError",
    "LogError",
    "LogRetention",
    "LogTrimmedError",
    "LogWriter",
    "Mark",
    "Repair",
    "SeekPoint",
    "bounded_end",
    "commit",
    "committed",
    "earliest",
    "end",
    "ranges",
    "read",
    "seek_point",
    "size",
    "tail",
    "trim",
]
