"""`vigil pipeline SCENARIO`: Spark reads the log and puts alerts into the store, until it is told to stop."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import time
from pathlib import Path
from threading import Event

import sqlalchemy as sa
from pyspark.sql.streaming.query import StreamingQuery

from app import connection, places, scenario, settings, spark, store
from app.cleaned import Place
from app.figures import Figures
from app.lookout import Watcher
from app.outgoing import Outgoing
from app.pipeline import Pipeline, defaults, first_queries, start
from app.settings import Settings
from app.store import Retention
from app.warm import Warming
from detectors.document import FaultyFileError

TICK_SECONDS = 0.5
RETENTION_SECONDS = 600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", help="a name such as store, or a scenario's file")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="default: vigil.toml if there is one")


def run(arguments: argparse.Namespace) -> int:
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO, stream=sys.stderr)
    for chatty in ("py4j", "alembic"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    try:
        chosen = settings.load(arguments.settings)
        return _run(chosen, places.find(arguments.scenario).resolve())
    except (settings.SettingsError, FaultyFileError, LookupError, sa.exc.OperationalError) as error:
        print(f"vigil pipeline: {error}", file=sys.stderr)
        return 1


def prepared(chosen: Settings, path: Path) -> Pipeline:
    """The store is there, and the scenario's own settings stand in it."""
    place = Place(path, chosen.log, chosen.checkpoint / "cleaning", chosen.lateness_ms)
    loaded = scenario.load(path)
    engine = store.open_store(chosen.store)
    store.record_defaults(engine, defaults(loaded), _now_ms())
    return Pipeline(loaded, place, chosen.checkpoint, engine, chosen.trigger_ms, chosen.heartbeat_ms)


def _run(chosen: Settings, path: Path) -> int:
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    pipeline = prepared(chosen, path)
    store.record_part(pipeline.engine, "pipeline", "starting", "", _now_ms())
    watcher = Watcher(pipeline.engine, pipeline.scenario, pipeline.place)
    outgoing = Outgoing(pipeline.engine, connection.from_settings(chosen), stop)
    outgoing.start()
    warming = Warming(first_queries(pipeline))
    session = spark.session(
        f"vigil {pipeline.scenario.name}",
        master=chosen.spark_master,
        config={"spark.driver.memory": chosen.spark_memory},
    )
    warming.wait()
    query = start(session, pipeline, watcher, stop)
    try:
        return _watch(query, Figures(pipeline, watcher, _now_ms), pipeline, chosen, stop)
    finally:
        stop.set()
        query.stop()
        outgoing.join()


def _watch(query: StreamingQuery, figures: Figures, pipeline: Pipeline, chosen: Settings, stop: Event) -> int:
    keep, kept_at = Retention(alerts_days=chosen.alerts_days), time.monotonic()
    while not stop.wait(TICK_SECONDS):
        if not query.isActive:
            logging.error("The stream has ended: %s", query.exception())
            return 1
        try:
            figures.tick(query.lastProgress)
            if time.monotonic() - kept_at > RETENTION_SECONDS:
                kept_at = time.monotonic()
                store.apply_retention(pipeline.engine, keep, _now_ms())
        except sa.exc.OperationalError as error:
            logging.warning("The store does not answer; figures are missing: %s", error.orig)
    return 0


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
