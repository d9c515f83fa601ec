"""Opens a Spark session on a bare machine: finds Java, starts the JVM, sets what Vigil relies on."""

from __future__ import annotations

import atexit
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from pyspark import SparkContext
from pyspark.sql import SparkSession

from app.spark.jvm import Jvm, is_alone

_STREAMING = "org.apache.spark.sql.execution.streaming"

SETTINGS = MappingProxyType(
    {
        "spark.driver.memory": "2g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # What Spark remembers of past batches for its page, which is off: by default a thousand of each.
        "spark.ui.retainedJobs": "20",
        "spark.ui.retainedStages": "20",
        "spark.ui.retainedTasks": "100",
        "spark.sql.ui.retainedExecutions": "20",
        # What can be inferred of columns doubles with every column that gets a new name: with some twenty
        # attributes planning the first micro-batch took all memory. Nothing here could use it.
        "spark.sql.constraintPropagation.enabled": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
        # What every small micro-batch takes at least: a page for each sort (32 MB by default) and a block for
        # each broadcast (4 MB). Pieces of that size are collected at great cost and drive the heap up.
        "spark.buffer.pageSize": "256k",
        "spark.broadcast.blockSize": "128k",
        # Workers are forked with the engine loaded, instead of each loading it.
        "spark.python.daemon.module": "sase.spark.daemon",
        # transformWithState accepts no other store.
        "spark.sql.streaming.stateStore.providerClass": f"{_STREAMING}.state.RocksDBStateStoreProvider",
        # These three halve the time of a small micro-batch.
        "spark.sql.streaming.checkpointFileManagerClass": (
            f"{_STREAMING}.checkpointing.FileSystemBasedCheckpointFileManager"
        ),
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
        "spark.sql.streaming.checkpoint.fileChecksum.enabled": "false",
    }
)

# Nobody else need reach a driver whose executors are its own threads; those of a cluster must.
_ALONE = MappingProxyType({"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"})


def settings_for(master: str) -> dict[str, str]:
    """What Vigil relies on with this master; of a cluster's driver Spark itself chooses the address."""
    return {**SETTINGS, **(_ALONE if is_alone(master) else {})}


def session(
    app_name: str,
    *,
    master: str = "local[2]",
    config: Mapping[str, str] = MappingProxyType({}),
    jvm: Jvm | None = None,
) -> SparkSession:
    """The session of this process; `config` adds to and overrides `SETTINGS`; `jvm` may be on its way."""
    logging.getLogger("py4j").setLevel(logging.WARNING)
    settings = settings_for(master) | dict(config)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers else take python3 from PATH
    builder = SparkSession.builder.appName(app_name).master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    with _gateway(jvm, settings["spark.driver.memory"], is_alone(master)):
        return builder.getOrCreate()


@contextmanager
def _gateway(jvm: Jvm | None, memory: str, alone: bool) -> Iterator[None]:
    """Let pyspark connect to a JVM of ours; no child process may inherit the address."""
    if SparkContext._gateway is not None:
        yield
        return
    port, secret = (jvm or Jvm(memory, alone=alone)).address()
    os.environ |= {"PYSPARK_GATEWAY_PORT": str(port), "PYSPARK_GATEWAY_SECRET": secret}
    try:
        yield
    finally:
        del os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"]
        atexit.register(_stop)  # before the JVM's own end, which was registered earlier


def _stop() -> None:
    if SparkContext._active_spark_context is not None:
        SparkContext._active_spark_context.stop()
