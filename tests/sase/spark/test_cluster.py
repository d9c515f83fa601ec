"""A real cluster, master and two workers, gives the same matches; also when a worker dies on the way."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sase.spark import match
from tests.sase.spark.cluster import Cluster, cluster
from tests.sase.spark.exactly_once import PATIENCE, events_in_order, rows, started, stream, wait_for_batches
from tests.sase.spark.streams import SCHEMA, write
from tests.sase.spark.victim import QUERIES


def nothing_happens(_: Cluster) -> None:
    pass


@pytest.mark.timeout(600)
@pytest.mark.parametrize("incident", [nothing_happens, Cluster.kill_worker])
def test_a_cluster_gives_the_matches_of_one_process(spark: Any, tmp_path: Path, incident: Any) -> None:
    events = stream(7, 240)
    write(tmp_path / "in", [events[i : i + 40] for i in range(0, len(events), 40)])
    (tmp_path / "out").mkdir()
    with cluster(tmp_path, workers=2) as running:
        process = started(tmp_path, running.url)
        wait_for_batches(tmp_path, 2, process)
        incident(running)
        assert process.wait(PATIENCE) == 0, (tmp_path / "said").read_text()[-3000:]
    alone = match(spark.createDataFrame(events_in_order(events), SCHEMA), QUERIES).collect()
    expected = Counter(row["id"] for row in alone if row["kind"] == "match")
    assert Counter(row["id"] for row in rows(tmp_path) if row["kind"] == "match") == expected
