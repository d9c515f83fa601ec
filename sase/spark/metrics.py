"""What the operator says about itself, in Spark's streaming progress and through a listener."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from sase.spark.output import FIGURES

NAME = "sase"


def observed(rows: DataFrame) -> DataFrame:
    """The same rows, with their figures summed up per micro-batch as observable metrics."""
    return rows.observe(NAME, *(F.sum(name).alias(name) for name in FIGURES))
