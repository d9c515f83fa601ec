"""A stream in a process of its own, to be killed: reads files, matches, writes a file per batch.

python -m tests.sase.spark.victim FOLDER MASTER: reads FOLDER/in, writes FOLDER/out, ends when all is read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.sql import DataFrame

from app.spark.session import session
from sase.spark import match
from tests.sase.spark.streams import read

QUERIES = {
    "pair": "EVENT SEQ(A x, !(C n), B y) WHERE [id] AND x.v < y.v WITHIN 10 sec",
    "alone": "EVENT SEQ(A x, !(B n)) WHERE [id] WITHIN 3 sec RETURN x.id AS id INTO ALONE",
    "twice": "EVENT SEQ(ALONE p, ALONE q) WHERE [id] WITHIN 20 sec",
    "once": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 5 sec OUTPUT NON-OVERLAP",
    "next": "EVENT SEQ(A x, D y) WHERE strict_contiguity(x, y) { x.v <= y.v } WITHIN 9 events",
}


def run(folder: Path, master: str) -> None:
    spark = session("victim", master=master)
    out = folder / "out"

    def write(batch: DataFrame, number: int) -> None:
        rows = [json.dumps({"batch": number, **row.asDict()}, default=str) for row in batch.collect()]
        draft = folder / f"draft.{number}"
        draft.write_text("\n".join(rows))
        draft.rename(out / f"{number:04}.json")

    result = match(read(spark, folder / "in"), QUERIES, lateness="1 sec")
    query = (
        result.writeStream.foreachBatch(write)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    spark.stop()


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2])
