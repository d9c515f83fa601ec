"""Removes old segments: by age and by size, but never one that a consumer of the log still needs."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from app.log.interface import LogRetention
from app.log.progress import committed
from app.log.segment import LogSegment, segments, sync_folder


def trim(folder: Path, retention: LogRetention, now_ms: int) -> list[Path]:
    """Remove, oldest first, what is past the limits; the removed files."""
    removed = []
    for segment in _consumed(folder):
        if not _excess(folder, segment, retention, now_ms):
            break
        segment.path.unlink()
        removed.append(segment.path)
    if removed:
        sync_folder(folder)
    return removed


def size(folder: Path) -> int:
    return sum(segment.path.stat().st_size for segment in segments(folder))


def _consumed(folder: Path) -> list[LogSegment]:
    """Sealed segments that every consumer has left behind; none as long as nobody has consumed anything."""
    safe = min(committed(folder).values(), default=0)
    return [segment for segment, following in pairwise(segments(folder)) if following.first <= safe]


def _excess(folder: Path, segment: LogSegment, retention: LogRetention, now_ms: int) -> bool:
    age_ms = now_ms - segment.path.stat().st_mtime * 1000
    too_old = retention.max_age_ms is not None and age_ms > retention.max_age_ms
    return too_old or (retention.max_bytes is not None and size(folder) > retention.max_bytes)
