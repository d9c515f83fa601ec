"""A site's cleaned stream at a position: kept in this worker's memory, or rebuilt from snapshot and log."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from app import log
from app.cleaning import snapshots
from app.cleaning.stream import CleanedStream
from app.log_address import LogAddress
from app.spark.sites.kept import KeptSite
from app.spark.sites.place import SitePlace

MOST_KEPT = 4096  # streams; a worker that has seen more forgets those it has not used for longest
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Remembered:
    """A stream, and the position up to which everything that it told was taken in: what it has read beyond
    has brought nothing about."""

    stream: CleanedStream
    since: int
    near: log.SeekPoint | None


_streams: OrderedDict[str, _Remembered] = OrderedDict()


@dataclass(frozen=True)
class SiteLog:
    """A site's log, and how it is cleaned."""

    where: LogAddress
    place: SitePlace

    def at(self, kept: KeptSite, snapshot: Callable[[], bytes]) -> CleaningRun:
        """The stream as of what was kept. It is nobody else's until it is given back."""
        found = _streams.pop(kept.lineage, None)
        if found is not None and found.since == kept.position:
            return CleaningRun(self, kept.lineage, found.stream, found.near)
        behind = found is not None and found.stream.position < kept.position
        stream = found.stream if found is not None and behind else self._rebuilt(kept, snapshot)
        run = CleaningRun(self, kept.lineage, stream, None)
        run.push(kept.position)
        return run

    def _rebuilt(self, kept: KeptSite, snapshot: Callable[[], bytes]) -> CleanedStream:
        place = self.place
        stream = CleanedStream(place.scenario, place.lateness_ms, place.catalogs, place.learned)
        stream.position = kept.begin
        if kept.snapshot:
            stream.restore(snapshots.unpacked(snapshot()))
        return stream


class CleaningRun:
    """A stream in the hands of one step; a step that fails gives nothing back."""

    def __init__(self, of: SiteLog, lineage: str, stream: CleanedStream, near: log.SeekPoint | None) -> None:
        self._of, self._lineage, self.stream, self._near = of, lineage, stream, near

    def push(self, upto: int) -> pa.RecordBatch | None:
        """What the rows up to there bring about; the last line says how far time has come."""
        start = self.stream.position
        if upto <= start:
            return None
        self._near = log.seek_point(self._of.where, start, self._near)
        rows = list(log.read(self._of.where, start, upto, self._near))
        return self.stream.push(pa.concat_batches(rows)) if rows else None

    def give_back(self, since: int) -> None:
        """For the next step, which takes it if the state says that it goes on from there."""
        _streams[self._lineage] = _Remembered(self.stream, since, self._near)
        if len(_streams) > MOST_KEPT:
            _streams.popitem(last=False)


def forget(lineage: str) -> None:
    _streams.pop(lineage, None)
