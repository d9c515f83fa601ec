"""The running query: the log as a source, cleaned, matched by the detectors, told as alerts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Event

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from app.cleaning.stream import HEARTBEAT
from app.detection.pipeline import Pipeline, first_queries
from app.detection.sink import Sink
from app.place.declared_constraints import about_cleaned
from app.place.event_types import cleaned_types
from app.place.scenario import Scenario
from app.spark import events as cleaned_events
from app.spark.next_deadline import NextDeadline
from app.spark.offsets import MAX_ROWS
from sase.spark import Rule, match

HISTORY = "2 hours"


def start(spark: SparkSession, pipeline: Pipeline, learn: Callable[[], None], stop: Event) -> StreamingQuery:
    """source → clean → match → alerts, as a running query; `learn` takes in what the log says of readers."""
    deadline = NextDeadline(pipeline.checkpoint / "next-deadline")
    deadline.forget()
    pace: dict[str, int | str] = {"maxRows": MAX_ROWS, "deadline": str(deadline.path)}
    events = cleaned_events.of_log(spark, pipeline.cleaning, pace)
    checkpoint = pipeline.spark_checkpoint or str(pipeline.checkpoint)
    found_rows = detect(events, pipeline.scenario, first_queries(pipeline), pipeline.buckets, checkpoint)
    sink = Sink(pipeline, learn, stop, deadline)
    writer = found_rows.writeStream.foreachBatch(sink).option("checkpointLocation", checkpoint)
    return writer.trigger(processingTime=f"{pipeline.trigger_ms} milliseconds").start()


def detect(
    events: DataFrame,
    scenario: Scenario,
    queries: Mapping[str, Rule],
    buckets: int = 1,
    checkpoint: str | None = None,
) -> DataFrame:
    """Matches of the queries, what was late, and of a stream with a checkpoint when something is due; both
    levels of composite events in one job."""
    rows = match(
        events,
        queries,
        id="event_id",
        seq="seq",
        control="control",
        heartbeat=HEARTBEAT,
        types=cleaned_types(scenario.plan),
        history=HISTORY,
        buckets=buckets,
        checkpoint=checkpoint,
        deadlines=checkpoint is not None,
        figures=checkpoint is not None,
        together=buckets == 1,
        observe=False,
        constraints=about_cleaned(scenario.constraints, scenario.plan),
    )
    return rows.withColumns({name: F.unix_millis(name) for name in ("ts", "start", "end")})
