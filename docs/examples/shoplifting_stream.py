"""Shoplifting in a folder of readings: python shoplifting_stream.py readings/ alerts.db checkpoint/

Reads what is there and ends; run it again, or leave `trigger` out, for what comes. Alerts are rows of a table
with the match's id as its key, rows that are no events are lines of another: both from one run of the stream.
"""

import sqlite3
import sys

from pyspark.sql import DataFrame, SparkSession

from sase.spark import match, sinks

FOLDER, ALERTS, CHECKPOINT = sys.argv[1:]
STORE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

spark = (
    SparkSession.builder.appName("shop")
    .config("spark.sql.streaming.stateStore.providerClass", STORE)
    .getOrCreate()
)
events = spark.readStream.schema("event string, ts timestamp, id string, area string").json(FOLDER)

found = match(
    events,
    {
        "shoplifting": """
        EVENT SEQ(SHELF-READING x, !(COUNTER-READING y), EXIT-READING z)
        WHERE [id] WITHIN 12 hours
        RETURN x.id AS item, z.area AS exit""",
    },
    lateness="5 seconds",
    ahead="1 hour",
)


def save(table: str, columns: tuple[str, ...], rows: DataFrame) -> None:
    """The same rows again, after a failure, leave the table as it is."""
    store = sqlite3.connect(ALERTS)
    with store:
        store.execute(f"CREATE TABLE IF NOT EXISTS {table} (id PRIMARY KEY, {', '.join(columns)})")
        marks = ", ".join("?" * (1 + len(columns)))
        texts = [f"string({name})" for name in ("id", *columns)]
        store.executemany(
            f"INSERT OR REPLACE INTO {table} VALUES ({marks})", rows.selectExpr(*texts).collect()
        )
    store.close()


query = (
    found.writeStream.foreachBatch(
        sinks(
            matches=lambda rows, _: save("alert", ("ts", "query", "attributes"), rows),
            bad=lambda rows, _: save("bad_row", ("reason", "attributes"), rows),
        )
    )
    .option("checkpointLocation", CHECKPOINT)
    .trigger(availableNow=True)
    .start()
)
query.awaitTermination()
