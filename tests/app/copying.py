"""A Spark driver to be killed: copies the log to Parquet files, exactly once if the source keeps its word."""

from __future__ import annotations

import sys

from app.spark import log_source as source
from app.spark.session import session


def main(log_folder: str, target: str) -> None:
    spark = session("copying")
    source.register(spark)
    stream = spark.readStream.format("vigil").option("consumer", "copying").load(log_folder)
    writer = stream.where("kind = 'reading'").writeStream.format("parquet")
    writer.option("checkpointLocation", f"{target}/checkpoint").start(f"{target}/out").awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
