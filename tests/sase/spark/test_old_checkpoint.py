"""A checkpoint of an earlier version: the stream goes on from it as that version would have."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession

from tests.sase.spark.old_stream import BATCHES, CUT, QUERIES, SIZE, matched, told, unpacked
from tests.sase.spark.streams import drained


def test_a_stream_goes_on_from_a_checkpoint_of_an_earlier_version(
    spark: SparkSession, tmp_path: Path
) -> None:
    checkpoint, expected = unpacked(tmp_path)
    assert told(drained(matched(spark, BATCHES + 1), checkpoint)) == expected


def test_every_query_has_a_match_across_the_cut(tmp_path: Path) -> None:
    """Else the other test would show little."""
    _, expected = unpacked(tmp_path)
    cut = f"1970-01-01 00:00:{CUT * SIZE / 10:09.6f}"
    assert {query for query, _, _, start, *_ in expected if start < cut} >= QUERIES.keys()
