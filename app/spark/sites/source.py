"""The logs of all sites as one stream: what it hands on is up to where each one is to be read, no more.

Reading, cleaning and matching happen where Spark keeps what is known of a site. The source looks where the
logs end, and its offsets are a position for each site; a site that is added begins at the beginning of its
log, and of one that is gone a last row says so.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSource, SimpleDataSourceStreamReader
from pyspark.sql.types import StructType

from app.spark.options import access, number

if TYPE_CHECKING:
    from app.spark.sites.ends import LogEnds

SCHEMA = "site string, name string, log string, place string, start bigint, upto bigint"
GONE = -1  # up to where a site is read that is no more
LONGEST_WAIT_S = 1.0
PAUSE_S = 0.02
MAX_ROWS = 200_000  # in one micro-batch
LEAST_ROWS = 2_000  # that every site may bring, however many they are
_log = logging.getLogger(__name__)

Offsets = dict[str, int]
Row = tuple[str, str, str, str, int, int]


class SitesSource(DataSource):
    """Options: `sites`, a file of `StandingSites`; `maxRows`; who may read the logs, as in `log_options`."""

    @classmethod
    def name(cls) -> str:
        return "vigil-sites"

    def schema(self) -> str:
        return SCHEMA

    def simpleStreamReader(self, schema: StructType) -> SitesReader:  # noqa: N802, ARG002
        return SitesReader(self.options)


class SitesReader(SimpleDataSourceStreamReader):
    """In the one process that plans the stream."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._path, self._access = Path(options["sites"]), access(options)
        self._max_rows = number(options, "maxRows", MAX_ROWS)

    def initialOffset(self) -> dict[str, Offsets]:  # noqa: N802
        return {"sites": {}}

    def read(self, start: dict[str, Offsets]) -> tuple[Iterator[Row], dict[str, Offsets]]:
        """Waits for a while if there is no news: Spark asks again at once."""
        until_s = time.monotonic() + LONGEST_WAIT_S
        while True:
            end = {"sites": self._next(start["sites"])}
            if end != start:
                return self.readBetweenOffsets(start, end), end
            if time.monotonic() >= until_s:
                return iter(()), start
            time.sleep(PAUSE_S)

    def _next(self, start: Offsets) -> Offsets:
        """Where the batch ends: of those that have much to catch up with, each brings its share."""
        ends = self._ends.look(start)
        behind = sum(end > start.get(key, 0) for key, end in ends.items())
        most = max(LEAST_ROWS, self._max_rows // max(1, behind))
        nexts = {key: min(end, start.get(key, self._ends.begin(key)) + most) for key, end in ends.items()}
        return dict(sorted(nexts.items()))  # Spark compares offsets as texts

    def readBetweenOffsets(  # noqa: N802
        self, start: dict[str, Offsets], end: dict[str, Offsets]
    ) -> Iterator[Row]:
        """A site that has gone since these offsets were planned is read no more."""
        before, after, known = start["sites"], end["sites"], self._ends.sites()
        rows = list[Row]()
        for key, upto in after.items():
            if key not in before or upto > before[key]:
                site = known.get(key)
                begin = before.get(key, self._ends.begin(key) if site else 0)
                rows.append(
                    (key, site.name, site.log, site.place, begin, upto)
                    if site
                    else (key, "", "", "", begin, GONE)
                )
        rows += [(key, "", "", "", before[key], GONE) for key in before.keys() - after.keys()]
        return iter(rows)

    def commit(self, end: dict[str, Any]) -> None:
        """What a log may let go is told by who has taken it in."""

    @cached_property
    def _ends(self) -> LogEnds:
        from app.spark.sites.ends import LogEnds

        return LogEnds(self._path, self._access)
