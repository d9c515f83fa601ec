"""The stateful operator of many sites: Spark calls it for each site that has news."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle, TimerValues

from app.spark.options import access_options
from app.spark.sites.source import SitesSource
from sase.spark.bucket.shared_state import SharedState

COLUMNS = {
    "site": "string",
    "kind": "string",
    "query": "string",
    "event": "string",
    "id": "string",
    "ts": "bigint",
    "start": "bigint",
    "end": "bigint",
    "probability": "double",
    "attributes": "string",
    "events": "string",
    "reason": "string",
    "position": "bigint",
}
_SCHEMA = ", ".join(f"`{name}` {kind}" for name, kind in COLUMNS.items())
_Named = Row(*COLUMNS)


class SitesProcessor(StatefulProcessor):
    """`access` are the secrets with which logs are read."""

    def __init__(self, access: Mapping[str, str]) -> None:
        self._access = dict(access)

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._state = SharedState(handle)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: TimerValues) -> Iterator[Row]:  # noqa: N802, N803, ARG002
        # Here, because the driver loads this module for `init` alone, and needs no engine.
        from app.spark.sites.step import site_step

        found = [one for row in rows for one in site_step(self._state, row, self._access)]
        return (_Named(*(({"site": key[0]} | one).get(name) for name in COLUMNS)) for one in found)

    def close(self) -> None:
        """Nothing is held beyond a step."""


def of_sites(spark: SparkSession, standing: str, access: Mapping[str, str], most_rows: int) -> DataFrame:
    """What follows from the logs of all sites that stand in the file."""
    spark.dataSource.register(SitesSource)
    source = (
        spark.readStream.format(SitesSource.name()).option("sites", standing).option("maxRows", most_rows)
    )
    rows = source.options(**access_options(access)).load()
    return rows.groupBy("site").transformWithState(SitesProcessor(access), _SCHEMA, "append", "None")
