"""A log that is a folder of segment files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from app.log import by_position, progress, retention
from app.log.interface import LogRetention, SeekPoint


class FolderLog:
    """What Vigil asks of a log, of the files as they are at that moment."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def earliest(self) -> int:
        return by_position.earliest(self._folder)

    def end(self) -> int:
        return by_position.end(self._folder)

    def read(self, start: int, stop: int, near: SeekPoint | None) -> Iterator[pa.RecordBatch]:
        return by_position.read(self._folder, start, stop, near)

    def seek_point(self, position: int, near: SeekPoint | None) -> SeekPoint | None:
        return by_position.seek_point(self._folder, position, near)

    def bounded_end(self, start: int, stop: int, most_bytes: int, near: SeekPoint | None) -> int:
        return by_position.bounded_end(self._folder, start, stop, most_bytes, near)

    def ranges(self, start: int, stop: int) -> list[range]:
        return by_position.ranges(self._folder, start, stop)

    def first_received(self, at_ms: int) -> int:
        """By halving, as rows are in the order in which they came."""
        low, high = self.earliest(), self.end()
        while low < high:
            middle = (low + high) // 2
            if self._received(middle) < at_ms:
                low = middle + 1
            else:
                high = middle
        return low

    def size(self) -> int:
        return retention.size(self._folder)

    def trim(self, limits: LogRetention, now_ms: int) -> int:
        before = self.earliest()
        retention.trim(self._folder, limits, now_ms)
        return self.earliest() - before

    def commit(self, consumer: str, position: int) -> None:
        progress.commit(self._folder, consumer, position)

    def committed(self) -> dict[str, int]:
        return progress.committed(self._folder)

    def keep(self, name: str, text: str) -> None:
        progress.keep(self._folder, name, text)

    def kept(self, name: str) -> str | None:
        return progress.kept(self._folder, name)

    def _received(self, position: int) -> int:
        [batch] = self.read(position, position + 1, None)
        return int(batch["received"][0].as_py())
