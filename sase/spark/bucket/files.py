"""Files that bring each bucket of a dealing what it begins with, from the driver to wherever it runs."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp

import pyarrow as pa
from pyspark import SparkContext, SparkFiles

from sase.spark.blob import decode, written
from sase.spark.bucket.state import Head, read_head, written_head

_HEAD = 0  # the number under which the head goes; blobs have others


def send(
    spark: SparkContext, dealt: str, level: int, buckets: Mapping[int, tuple[Head, Mapping[int, bytes]]]
) -> None:
    """Have Spark bring the buckets of a level to all its machines."""
    folder = Path(mkdtemp(prefix="sase-dealt-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # machines may ask for them until the end
    for key, (head, blobs) in buckets.items():
        held = {_HEAD: written_head(head).encode()} | dict(blobs)
        table = pa.table({"number": pa.array(held, pa.int64()), "blob": pa.array(held.values(), pa.binary())})
        path = folder / _name(dealt, level, key)
        path.write_bytes(written(table))
        spark.addFile(str(path))


def read(dealt: str, level: int, key: int) -> tuple[Head, dict[int, bytes]]:
    """What was dealt to a bucket."""
    table = decode(Path(SparkFiles.get(_name(dealt, level, key))).read_bytes())
    held = dict(zip(table["number"].to_pylist(), table["blob"].to_pylist(), strict=True))
    return read_head(held.pop(_HEAD).decode()), held


def _name(dealt: str, level: int, key: int) -> str:
    return f"sase-{dealt}-{level}-{key}"
