"""Runs the pipeline of a place until it is told to stop: the stream, the outbox, figures and retention."""

from __future__ import annotations

import logging
import re
import signal
import time
from pathlib import Path
from threading import Event

import sqlalchemy as sa
from pyspark.sql.streaming.query import StreamingQuery

from app import store
from app.cleaning.setup import SNAPSHOTS, CleaningSetup
from app.clock import monotonic_s, now_ms
from app.detection.pipeline import Pipeline, first_queries, told_until
from app.detection.queries import defaults
from app.detection.stream import start
from app.lock import lock
from app.place import scenario
from app.running import which_place
from app.running.channels import channels
from app.running.figures import Figures
from app.running.log_follower import LogFollower
from app.running.outbox_sender import OutboxSender
from app.running.second_look import SecondLook
from app.running.site_files import FILES_SECONDS, SiteFiles
from app.running.site_place import SiteRemovedError, check_still_there
from app.running.total_silence import TotalSilence
from app.running.whereabouts_writer import WhereaboutsWriter
from app.settings import Settings
from app.spark.compile_ahead import KernelCompilation
from app.spark.jvm import Jvm
from app.spark.session import session
from app.spark.synced_checkpoint import SyncedCheckpoint
from app.store import Retention
from app.whereabouts import written

TICK_SECONDS = 0.5
RETENTION_SECONDS = 600.0
SYNC_SECONDS = 10.0


def prepared(chosen: Settings, path: Path) -> Pipeline:
    """The store is there, and the scenario's own settings stand in it."""
    cleaning = CleaningSetup(path, chosen.log, chosen.checkpoint / SNAPSHOTS, chosen.lateness_ms)
    loaded = scenario.load(path)
    engine = store.open_store(chosen.store, chosen.site)
    store.record_defaults(engine, defaults(loaded), now_ms())
    told_ms = told_until(chosen.checkpoint, chosen.log, chosen.lateness_ms)
    spark = (chosen.trigger_ms, chosen.spark_buckets, chosen.spark_checkpoint)
    return Pipeline(loaded, cleaning, chosen.checkpoint, engine, *spark, told_ms)


class PipelineBusyError(RuntimeError):
    """Another pipeline works on the same checkpoint: two would undo each other's work."""

    def __init__(self, checkpoint: Path) -> None:
        super().__init__(f"{checkpoint} is in use by another pipeline: stop that one, or set another `data`")


def claim(checkpoint: Path) -> int:
    """Be the only pipeline on a checkpoint, until the process ends."""
    checkpoint.mkdir(parents=True, exist_ok=True)
    try:
        return lock(checkpoint / "pipeline.lock")
    except BlockingIOError:
        raise PipelineBusyError(checkpoint) from None


def spark_options(chosen: Settings) -> dict[str, str]:
    """The site's own options of Spark's, under those that other settings decide."""
    return {
        **chosen.spark,
        "spark.driver.memory": chosen.spark_memory,
        "spark.sql.shuffle.partitions": str(chosen.spark_buckets),
        # Time passes in the rows: a micro-batch without any, after every one that moves the watermark, finds
        # nothing new, and of what waits it would know only what has just come due.
        "spark.sql.streaming.noDataMicroBatches.enabled": "false",
    }


def run_pipeline(chosen: Settings, path: Path, jvm: Jvm) -> int:
    """Until SIGINT or SIGTERM, or until the stream ends by itself: then the exit code is 1."""
    claim(chosen.checkpoint)
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    pipeline = prepared(chosen, path)
    which_place.note(chosen.checkpoint, path)
    store.record_part(pipeline.engine, "pipeline", "starting", "", now_ms())
    follower = LogFollower(
        pipeline.engine,
        pipeline.scenario,
        pipeline.cleaning,
        chosen.heartbeat_ms,
        simulated=chosen.clock == "simulation",
    )
    sender = OutboxSender(pipeline.engine, channels(chosen), stop)
    sender.start()
    _survive_power_cut(chosen.checkpoint)
    kernels = KernelCompilation(first_queries(pipeline))
    spark = session(
        f"vigil {pipeline.scenario.name}",
        master=chosen.spark_master,
        config=spark_options(chosen),
        jvm=jvm,
    )
    kernels.wait()
    query = start(spark, pipeline, follower.catch_up, stop)
    try:
        return _run(query, pipeline, follower, chosen, stop)
    except SiteRemovedError:
        query.stop()
        store.forget_removed(pipeline.engine)
        raise
    finally:
        stop.set()
        query.stop()
        SyncedCheckpoint(chosen.checkpoint).sync()
        sender.join()


def _run(
    query: StreamingQuery, pipeline: Pipeline, follower: LogFollower, chosen: Settings, stop: Event
) -> int:
    figures = Figures(pipeline, follower, now_ms)
    silence, again = TotalSilence(pipeline, follower, monotonic_s), SecondLook(pipeline, follower)
    keep, kept_at = Retention(alerts_days=chosen.alerts_days), time.monotonic()
    where = WhereaboutsWriter(follower, chosen.checkpoint / written.FILE, monotonic_s)
    files, looked_at, wrong = SiteFiles(pipeline, now_ms), 0.0, ""
    durable, synced_at = SyncedCheckpoint(chosen.checkpoint), time.monotonic()
    while not stop.wait(TICK_SECONDS):
        if not query.isActive:
            logging.error("The stream has ended: %s", query.exception())
            return _ended(str(query.exception()))
        if time.monotonic() - synced_at > SYNC_SECONDS:
            synced_at = time.monotonic()
            durable.sync()
        try:
            if time.monotonic() - looked_at > FILES_SECONDS:
                looked_at, wrong = time.monotonic(), files.look()
                check_still_there(pipeline.engine)
            store.switch_on_due(pipeline.engine, pipeline.scenario.name, now_ms())
            figures.tick(query.lastProgress, wrong)
            silence.look(now_ms())
            again.look()
            follower.put_right.look(now_ms())
            where.look()
            if time.monotonic() - kept_at > RETENTION_SECONDS:
                kept_at = time.monotonic()
                store.apply_retention(pipeline.engine, keep, now_ms(), now_ms() - follower.behind_ms)
                store.compact(pipeline.engine)
        except sa.exc.DBAPIError as error:
            if not store.can_heal(error):
                raise store.broken(error) from error
            logging.warning("The store does not answer; figures are missing: %s", error.orig)
    return 0


def _survive_power_cut(checkpoint: Path) -> None:
    last = SyncedCheckpoint(checkpoint).cut_back()
    if last is not None:
        logging.warning(
            "The machine was started anew: going on after micro-batch %d, the last one synced.", last
        )


def _ended(reason: str) -> int:
    """The stream's own error comes as Java tells it; a store that is broken is for a person to mend."""
    found = re.search(rf"{store.StoreBrokenError.__name__}: (.*)", reason)
    if found:
        raise store.StoreBrokenError(found[1])
    return 1
