"""What a new Python process of Spark's has to load before it works."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import SparkSession


def _loaded(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    engine = "sase.matcher" in sys.modules
    for _ in batches:
        yield pa.RecordBatch.from_pydict({"loaded": [engine]})


def test_a_worker_has_the_engine_when_it_begins(spark: SparkSession) -> None:
    (row,) = spark.range(1, numPartitions=1).mapInArrow(_loaded, "loaded boolean").collect()
    assert row.loaded


def test_the_driver_declares_state_without_the_engine() -> None:
    check = "import sys; import sase.spark.bucket.processor; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
