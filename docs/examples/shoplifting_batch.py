"""Shoplifting in a file of readings: python shoplifting_batch.py shop.csv"""

import sys

from pyspark.sql import SparkSession

from sase.spark import match, matches

spark = SparkSession.builder.appName("shop").getOrCreate()
events = spark.read.csv(sys.argv[1], header=True, schema="event string, ts bigint, id string, shelf string")

found = match(
    events,
    {
        "shoplifting": """
        EVENT SEQ(SHELF-READING x, !(COUNTER-READING y), EXIT-READING z)
        WHERE [id] WITHIN 12 hours
        RETURN x.id AS item, x.shelf AS shelf, z.ts - x.ts AS ms_inside""",
    },
)
matches(found, "shoplifting", typed=True).select("ts", "attributes.*").orderBy("ts").show(truncate=False)
