"""The durable log: rows at positions, one writer, any number of readers; in a folder or in a stream."""

from app.log.access import (
    bounded_end,
    commit,
    committed,
    earliest,
    end,
    first_received,
    keep,
    kept,
    open_writer,
    ranges,
    read,
    seek_point,
    size,
    tail,
    trim,
)
from app.log.errors import LogBusyError, LogDamagedError, LogError, LogTrimmedError, LogUnreachableError
from app.log.interface import Appender, LogRetention, SeekPoint
from app.log.progress import Mark
from app.log.writer import LogWriter, Repair
from app.log_address import AddressError, LogAddress, StreamAddress, address, beside

__all__ = [
    "AddressError",
    "Appender",
    "LogAddress",
    "LogBusyError",
    "LogDamagedError",
    "LogError",
    "LogRetention",
    "LogTrimmedError",
    "LogUnreachableError",
    "LogWriter",
    "Mark",
    "Repair",
    "SeekPoint",
    "StreamAddress",
    "address",
    "beside",
    "bounded_end",
    "commit",
    "committed",
    "earliest",
    "end",
    "first_received",
    "keep",
    "kept",
    "open_writer",
    "ranges",
    "read",
    "seek_point",
    "size",
    "tail",
    "trim",
]
